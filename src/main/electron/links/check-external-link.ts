import { codePointLength } from '#shared/lib/code-points.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { isPublicName } from '#shared/lib/public-name.ts';

export type ExternalLink =
  | {
      kind: 'fine';
      /** ASCII only: the address that is shown and the one that is opened are the same text. */
      address: string;
      /** In the form that a look-alike name cannot hide in (`xn--…`), with a port other than 443. */
      host: string;
    }
  | { kind: 'refused'; because: LinkRefusal };

export type LinkRefusal =
  'too long' | 'hidden characters' | 'not an address' | 'not https' | 'credentials' | 'host';

/** Longer than any address that a person could still look through, in code points. */
const maxLength = 2_000;

/** The one policy for every address that leaves for the system's browser: https, a public name, nothing hidden in it. */
export function checkExternalLink(text: string): ExternalLink {
  if (codePointLength(text) > maxLength) return refused('too long');
  if (inertText(text) !== text || text.includes(' ')) return refused('hidden characters');
  const url = URL.parse(text);
  if (url === null) return refused('not an address');
  if (url.protocol !== 'https:') return refused('not https');
  // An empty user leaves its mark in the text alone.
  if (url.username !== '' || url.password !== '' || authorityOf(text).includes('@'))
    return refused('credentials');
  if (!isPublicName(url.hostname)) return refused('host');
  return { kind: 'fine', address: url.href, host: url.host };
}

const refused = (because: LinkRefusal): ExternalLink => ({ kind: 'refused', because });

/** Backslashes count as slashes in an https address. */
function authorityOf(text: string): string {
  return text.replace(/^[^:]*:[/\\]*/, '').split(/[/\\?#]/, 1)[0] ?? '';
}
