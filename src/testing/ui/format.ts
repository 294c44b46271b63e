/** Returns the local time of day, with milliseconds; a text that is no time is returned unchanged. */
export function clock(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const part = (value: number, digits = 2) => String(value).padStart(digits, '0');
  const seconds = `${part(time.getSeconds())}.${part(time.getMilliseconds(), 3)}`;
  return `${part(time.getHours())}:${part(time.getMinutes())}:${seconds}`;
}

/** Returns Unix seconds as a date, or the number of seconds if they are out of range. */
export function unixTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? `${seconds} s` : time.toISOString().replace('.000Z', 'Z');
}

/** Durations from here on are shown in seconds. */
const secondMs = 1000;

/** Returns a duration with its unit. */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return '…';
  if (ms >= secondMs) return `${(ms / secondMs).toFixed(2)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** Returns a number with separators. */
export function count(value: number): string {
  return value.toLocaleString('en');
}

/** Tokens of JSON text: strings, punctuation, and everything else. */
const jsonParts = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Maximum indentation, in levels: a body can be nested so deeply that its indentation would fill the memory. */
const deepest = 50;

/** Indents JSON text without changing any digit. Other text is returned unchanged. */
export function pretty(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  let result = '';
  let previous = '';
  const line = () => `\n${'  '.repeat(Math.min(depth, deepest))}`;
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
