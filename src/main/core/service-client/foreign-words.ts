import { inertStart, quotedStart } from '#shared/lib/inert-text.ts';

/** So much of the service's own words is kept, in code points: they end in proposals and in the ledger. */
const mostForeignWords = 500;

/** The service's words as a quotation, cut where they are long, which is said outside of it. */
export function quotation(text: string): string {
  return quotedStart(text, mostForeignWords);
}

/** The service's words as a text of their own, inert, and cut where they are long, which is said. */
export function foreignWords(text: string): string {
  return inertStart(text, mostForeignWords);
}
