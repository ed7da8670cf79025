import { inertText, quoted } from '#shared/lib/inert-text.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { redact, redactText } from '#shared/lib/redact.ts';

/** Maximum length of the service's own words in one line, in code points. */
const maxWords = 160;

/** The service's words as a quotation: inert, without what looks like a credential, and cut where they are long. */
export function quote(text: string): string {
  // A code point is one or two units, so that this length always includes the quoted part.
  const safe = redactText(text.slice(0, 8 * maxWords));
  const points = [...safe];
  const isWhole = points.length <= maxWords && text.length <= 8 * maxWords;
  return isWhole ? quoted(safe) : `${quoted(points.slice(0, maxWords).join(''))} …`;
}

/** JSON as a quotation, without the members that are credentials by their name. */
export function quoteJson(value: JsonValue): string {
  return quote(JSON.stringify(redact(value)));
}

/** A short list of the service's words, inert: names of scopes, tools or modules. */
export function listed(words: readonly unknown[], max = 12): string {
  const texts = words.filter((word) => typeof word === 'string' || typeof word === 'number').map(String);
  if (texts.length === 0) return 'none';
  const shown = texts.slice(0, max).map((word) => inertText(redactText(word.slice(0, 60))));
  return texts.length > max ? `${shown.join(', ')} and ${texts.length - max} more` : shown.join(', ');
}

/** A length of time as a person says it. */
export function duration(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** A round trip: under ten milliseconds with a tenth. */
export function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms).toString()} ms`;
}
