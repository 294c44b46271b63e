const exponentForm = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** Writes a finite number without an exponent: 1e21 as 1 and 21 zeros. */
export function decimalText(value: number): `${number}` {
  const printed = `${value}` as const;
  const [, sign, first, rest = '', power] = exponentForm.exec(printed) ?? [];
  if (power === undefined) return printed;
  const digits = `${first}${rest}`;
  const exponent = Number(power);
  const written =
    exponent < 0
      ? `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
      : `${sign}${digits.padEnd(exponent + 1, '0')}`;
  return written as `${number}`;
}
