const exponentForm = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/;

/** Formats an exact number without an exponent: 1e-7 as 0.0000001. */
export function decimalText(value: number): `${number}` {
  const printed = `${value}` as const;
  const [, sign, first, rest = '', power] = exponentForm.exec(printed) ?? [];
  if (power === undefined) return printed;
  return `${sign}0.${'0'.repeat(Number(power) - 1)}${first}${rest}` as `${number}`;
}
