/** The thousands separator for display: `1,234.50`, `1 234.50`, `1234.50`. The decimal mark is always a point. */
export const numberFormats = ['comma', 'space', 'none'] as const;

export type NumberFormat = (typeof numberFormats)[number];

/** The space is a narrow no-break space (`U+202F`). */
const separators: Readonly<Record<NumberFormat, string>> = { comma: ',', space: '\u202F', none: '' };

export function thousandsSeparator(format: NumberFormat): string {
  return separators[format];
}

/**
 * Removes the spaces between thousands of a typed number: `1 234.50` becomes `1234.50`. Any other text, such as
 * `1,234`, stays unchanged.
 */
export function withoutSpaces(typed: string): string {
  return /^\D?\d{1,3}(?:[ \u00A0\u202F]\d{3})+(?:\.\d*)?$/u.test(typed)
    ? typed.replaceAll(/[ \u00A0\u202F]/gu, '')
    : typed;
}
