import { usualFormats } from './formats.ts';
/** Length in Unicode code points: the one unit of every limit on text (contract §8). */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _point of text) length += 1;
  return length;
}

/** The first `max` code points of a text: a cut by units may leave half of a character. */
export function firstCodePoints(text: string, max: number): string {
  // A code point is one or two units.
  return Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('');
}

export function atMost(max: number): [isShort: (text: string) => boolean, message: string] {
  return [(text) => codePointLength(text) <= max, `must have at most ${usualFormats.count(max)} characters`];
}

/** Invisible characters and those that change how others are drawn: controls, bidi marks, zero widths, fillers, odd spaces, half pairs. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** The narrow space between the thousands of a number, as a person may have Countersign write it: seen as the gap that it is. */
const thousands = /(?<=(?<!\d)\d{1,3}(?:\u202F\d{3})*)\u202F(?=\d{3}(?!\d))/u;

/** Spaces that a page swallows, and marks that combine with the text before them. */
const swallowed = /^ | $| (?= )|^\p{M}|(?<=\p{M}{3})\p{M}/u;

const inert = new RegExp(`(?!${thousands.source})(?:${unseen.source})|${swallowed.source}`, 'gu');

/** Foreign text made inert: what cannot be seen becomes a visible name such as `⟨U+202E⟩`. Nothing is cut. */
export function inertText(text: string): string {
  return text.replace(inert, (found) => `⟨U+${hexadecimal(found)}⟩`);
}

const quotationMarks = /["“”„‟«»❝❞❠〝〞〟＂]/gu;

/** Foreign text as a quotation that it cannot close or open itself: inert, in “ ”, with plain marks for its own. Nothing is cut. */
export function quoted(text: string): string {
  return `“${inertText(text).replace(quotationMarks, '"')}”`;
}

/** Quotes the first `max` code points; the rest is counted outside the quotation. */
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
  const total = usualFormats.count(codePointLength(text));
  return { start, left: ` (the first ${max} of ${total} characters)` };
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
