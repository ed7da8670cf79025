import { codePointLength } from '#shared/lib/code-points.ts';
import { inertText } from '#shared/lib/inert-text.ts';

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

/** A name with at least two labels whose last is not a number: no addresses by number, no names of this machine or its network. */
function isPublicName(hostname: string): boolean {
  const labels = hostname.split('.');
  const last = labels.at(-1) ?? '';
  const wellFormed = labels.every((label) => /^[a-z\d](?:[a-z\d_-]*[a-z\d])?$/.test(label));
  return (
    labels.length >= 2 && wellFormed && /^(?:[a-z]{2,}|xn--[a-z\d-]+)$/.test(last) && !ownNames.has(last)
  );
}

/** Top labels that never leave this machine or its network. */
const ownNames = new Set(['localhost', 'local', 'internal', 'lan', 'home', 'corp', 'test', 'invalid']);
