/** How the thousands of a number are separated for people: `1,234.50`, `1 234.50`, `1234.50`. The decimal sign is always a point. */
export const numberFormats = ['comma', 'space', 'none'] as const;

export type NumberFormat = (typeof numberFormats)[number];

const usual: NumberFormat = 'comma';

/** The space is a narrow one at which no line ends (U+202F). */
const separators: Readonly<Record<NumberFormat, string>> = { comma: ',', space: '\u202F', none: '' };

// One for the process: a number is formatted far from the setting, and never reads otherwise in two places of one window.
let current: NumberFormat = usual;

/** The format of every number that is made into text from now on in this process, or thread. */
export function setNumberFormat(format: NumberFormat): void {
  current = format;
}

/** The format that is set. */
export function numberFormat(): NumberFormat {
  return current;
}

/** The digits of a whole number with its thousands separated. */
export function groupedDigits(digits: string): string {
  const separator = separators[current];
  return separator === '' ? digits : digits.replace(/\B(?=(\d{3})+$)/g, separator);
}

/** A number for people, at most three decimals: `1,234`, `0.5`; exactly so many decimals where they are given: `0.50`. */
export function countText(count: number, decimals?: number): string {
  const fraction =
    decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return count.toLocaleString('en-US', fraction).replaceAll(',', separators[current]);
}

/** A typed number without the spaces between its thousands: `1 234.50` is `1234.50`. Any other text stays as it is, as `1,234` does. */
export function withoutSpaces(typed: string): string {
  return /^\D?\d{1,3}(?:[ \u00A0\u202F]\d{3})+(?:\.\d*)?$/u.test(typed)
    ? typed.replaceAll(/[ \u00A0\u202F]/gu, '')
    : typed;
}

/** Runs `make` with the usual format, whichever is set: for words that are not Countersign's own. A service has no settings of a person. */
export function inUsualFormat<Made>(make: () => Made): Made {
  const set = current;
  current = usual;
  try {
    return make();
  } finally {
    current = set;
  }
}
