import { inertText } from '#shared/lib/inert-text.ts';

const longest = 80;

/** A name that a caller made up, fit to be said back: inert, and cut. */
export function callerName(name: string): string {
  return inertText(name.slice(0, longest));
}
