import { defaultFormats } from './formats.ts';
/** Length in Unicode code points, the unit of every text limit (contract §8). */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _point of text) length += 1;
  return length;
}

/** The first `max` code points of a text. A cut by UTF-16 units could leave half a character. */
export function firstCodePoints(text: string, max: number): string {
  // A code point has one or two units.
  return Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('');
}

export function atMost(max: number): [isShort: (text: string) => boolean, message: string] {
  return [
    (text) => codePointLength(text) <= max,
    `must have at most ${defaultFormats.count(max)} characters`,
  ];
}

/**
 * Invisible characters and characters that change how others are drawn: controls, bidi marks, zero-width characters,
 * fillers, unusual spaces, lone surrogates.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** The narrow space between thousands, which one of the number formats uses. It is allowed because it is visible as a gap. */
const thousands = /(?<=(?<!\d)\d{1,3}(?:\u202F\d{3})*)\u202F(?=\d{3}(?!\d))/u;

/** Spaces that a page would collapse, and marks that combine with the text before them. */
const swallowed = /^ | $| (?= )|^\p{M}|(?<=\p{M}{3})\p{M}/u;

const inert = new RegExp(`(?!${thousands.source})(?:${unseen.source})|${swallowed.source}`, 'gu');

/** Makes untrusted text inert: every invisible character becomes a visible name such as `⟨U+202E⟩`. Nothing is cut. */
export function inertText(text: string): string {
  return text.replace(inert, (found) => `⟨U+${hexadecimal(found)}⟩`);
}

const quotationMarks = /["“”„‟«»❝❞❠〝〞〟＂]/gu;

/**
 * Quotes untrusted text so that it cannot open or close a quotation itself: inert, in “ ”, with its own marks replaced
 * by plain ones. Nothing is cut.
 */
export function quoted(text: string): string {
  return `“${inertText(text).replace(quotationMarks, '"')}”`;
}

/** Quotes the first `max` code points. The number of omitted ones follows after the quotation. */
export function quotedStart(text: string, max: number): string {
  const { start, left } = startOf(text, max);
  return `${quoted(start)}${left}`;
}

/** Like {@link quotedStart}, without quotation marks. */
export function inertStart(text: string, max: number): string {
  const { start, left } = startOf(text, max);
  return `${inertText(start)}${left}`;
}

function startOf(text: string, max: number): { start: string; left: string } {
  const start = firstCodePoints(text, max);
  if (start === text) return { start, left: '' };
  const total = defaultFormats.count(codePointLength(text));
  return { start, left: ` (the first ${max} of ${total} characters)` };
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
