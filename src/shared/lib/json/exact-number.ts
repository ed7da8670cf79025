const shortest = 15;

/**
 * True when the double nearest to a JSON number text stands for the same decimal value, that is, when its shortest
 * text (RFC 8785 §3.2.2.3) names the value that was written. `1.0`, `1e2` and `0.1` are exact in this sense;
 * 2^53+1, 1e400 and a fraction of twenty digits are not.
 */
export function isExactNumber(text: string, value: number): boolean {
  // Fifteen significant digits always survive, as long as no exponent leaves the range of a double.
  if (text.length <= shortest && !text.includes('e') && !text.includes('E')) return true;
  return Number.isFinite(value) && decimalValue(text) === decimalValue(String(value));
}

/** One text for one decimal value: sign, digits without outer zeros, exponent of the last digit. */
function decimalValue(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = trimEndZeros(digits);
  if (significant === '') return '0';
  const last = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${last}`;
}

function trimEndZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
