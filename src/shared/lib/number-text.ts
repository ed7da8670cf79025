/** How the thousands of a number are separated for people: `1,234.50`, `1 234.50`, `1234.50`. The decimal sign is always a point. */
export const numberFormats = ['comma', 'space', 'none'] as const;

export type NumberFormat = (typeof numberFormats)[number];

/** The space is a narrow one at which no line ends (U+202F). */
const separators: Readonly<Record<NumberFormat, string>> = { comma: ',', space: '\u202F', none: '' };

export function thousandsSeparator(format: NumberFormat): string {
  return separators[format];
}

/** A typed number without the spaces between its thousands: `1 234.50` is `1234.50`. Any other text stays as it is, as `1,234` does. */
export function withoutSpaces(typed: string): string {
  return /^\D?\d{1,3}(?:[ \u00A0\u202F]\d{3})+(?:\.\d*)?$/u.test(typed)
    ? typed.replaceAll(/[ \u00A0\u202F]/gu, '')
    : typed;
}
