import { codePointLength } from '#shared/lib/code-points.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';

/** So much of the service's own words is kept, in code points: they end in proposals and in the ledger. */
const mostForeignWords = 500;

/** The service's words as a quotation, cut where they are long, which is said outside of it. */
export function quotation(text: string): string {
  const { kept, cut } = shorten(text);
  return `${quoted(kept)}${cut}`;
}

/** The service's words as a text of their own, inert, and cut where they are long, which is said. */
export function foreignWords(text: string): string {
  const { kept, cut } = shorten(text);
  return `${inertText(kept)}${cut}`;
}

function shorten(text: string): { kept: string; cut: string } {
  // A code point is one or two units, so that this much always holds what is kept.
  const start = text.slice(0, 2 * mostForeignWords + 2);
  const points = [...start];
  if (points.length <= mostForeignWords) return { kept: text, cut: '' };
  const kept = points.slice(0, mostForeignWords).join('');
  const total = codePointLength(text).toLocaleString('en-US');
  return { kept, cut: ` (the first ${mostForeignWords} of ${total} characters)` };
}
