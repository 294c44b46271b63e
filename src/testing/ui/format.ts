/** Returns a time as hours, minutes, seconds and milliseconds of the person's clock; the text itself for no time. */
export function clock(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const part = (value: number, digits = 2) => String(value).padStart(digits, '0');
  const seconds = `${part(time.getSeconds())}.${part(time.getMilliseconds(), 3)}`;
  return `${part(time.getHours())}:${part(time.getMinutes())}:${seconds}`;
}

/** Returns Unix seconds as a date; the number itself for what no date can show. */
export function unixTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? `${seconds} s` : time.toISOString().replace('.000Z', 'Z');
}

/** Milliseconds from which a duration is shown in seconds. */
const secondMs = 1000;

/** Returns a duration with its unit. */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return '…';
  if (ms >= secondMs) return `${(ms / secondMs).toFixed(2)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** Returns the class by which a status is coloured. */
export function statusClass(status: number | undefined): string {
  if (status === undefined) return 'none';
  if (status < 300) return 'good';
  return status < 400 ? 'quiet' : 'bad';
}

/** Returns a number with separators. */
export function count(value: number): string {
  return value.toLocaleString('en');
}

/** Parts of JSON text: strings, punctuation, and everything between. */
const jsonParts = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Returns JSON text indented, with every digit as it was sent; any other text as it is. */
export function pretty(text: string): string {
  if (!isJson(text)) return text;
  let depth = 0;
  let result = '';
  let previous = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [part] of text.matchAll(jsonParts)) {
    const closes = part === '}' || part === ']';
    if (closes) depth -= 1;
    const opened = previous === '{' || previous === '[';
    if (closes ? !opened : opened || previous === ',') result += line();
    result += part === ':' ? ': ' : part;
    if (part === '{' || part === '[') depth += 1;
    previous = part;
  }
  return result;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
