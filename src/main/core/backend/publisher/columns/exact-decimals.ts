const microDigits = 6;
const unit = 10n ** BigInt(microDigits);

/** Integer micros as a decimal without digits that say nothing: `12.5`, `0`, `-0.000001`. */
export function plainDecimal(micros: bigint): string {
  const text = fixedDecimal(micros);
  return text.replace(/\.?0+$/, '');
}

/** Integer micros with all six decimals: `12.500000`. */
export function fixedDecimal(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  const fraction = (size % unit).toString().padStart(microDigits, '0');
  return `${micros < 0n ? '-' : ''}${size / unit}.${fraction}`;
}

/** `over` / `under` as integer micros, half away from zero; nothing over nothing is 0. */
export function quotientMicros(overMicros: bigint, under: bigint): bigint {
  if (under === 0n) return 0n;
  const isNegative = overMicros < 0n !== under < 0n;
  const [a, b] = [overMicros < 0n ? -overMicros : overMicros, under < 0n ? -under : under];
  const rounded = (2n * a + b) / (2n * b);
  return isNegative ? -rounded : rounded;
}
