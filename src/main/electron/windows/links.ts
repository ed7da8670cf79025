import { codePointLength, inertText } from '#shared/lib/inert-text.ts';
import { clientOfInstallLink } from '#shared/lib/install-links.ts';
import { isPublicName } from '#shared/lib/web-address.ts';

type FineLink = Extract<ExternalLink, { kind: 'fine' }>;

export interface LinksOptions {
  open(address: string): Promise<void>;
  ask(link: FineLink): Promise<boolean>;
}

export interface Links {
  follow(address: string): Promise<boolean>;
  /** Opens the authorization address of a sign-in that a person just began. Resolves to whether it was opened; never rejects. */
  openAuthorization(address: string): Promise<boolean>;
}

export function createLinkGuard({ open, ask }: LinksOptions): Links {
  let asking = false;
  return {
    async openAuthorization(address) {
      const fine = checkAuthorizationAddress(address);
      if (fine === null) return false;
      return open(fine).then(
        () => true,
        () => false,
      );
    },
    async follow(address) {
      const link = checkExternalLink(address);
      if (link.kind === 'refused' || asking) return false;
      asking = true;
      try {
        if (!(await ask(link))) return false;
        await open(link.address);
        return true;
      } catch {
        // No browser, or one that does not start: the person sees that nothing opened.
        return false;
      } finally {
        asking = false;
      }
    },
  };
}

export type ExternalLink =
  | {
      kind: 'fine';
      /** ASCII only: the address that is shown and the one that is opened are the same text. */
      address: string;
      /** In the form that a look-alike name cannot hide in (`xn--…`), with a port other than 443. */
      host: string;
      /** A program that opens the link itself; `host` is its name. */
      client?: true;
    }
  | { kind: 'refused'; because: LinkRefusal };

export type LinkRefusal =
  'too long' | 'hidden characters' | 'not an address' | 'not https' | 'credentials' | 'host';

const maxLinkLength = 2_000;

/**
 * The one policy for every address that leaves for another program: https, a public name, nothing hidden in it; or one of the links by
 * which a client adds Countersign, letter by letter.
 */
export function checkExternalLink(text: string): ExternalLink {
  if (codePointLength(text) > maxLinkLength) return refused('too long');
  const client = clientOfInstallLink(text);
  if (client !== null) return { kind: 'fine', address: text, host: client, client: true };
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

const maxAuthorizationLength = 4_000;

/** The host's check of an authorization address: https, or http on the loopback; no credentials, nothing hidden. Null if refused. */
export function checkAuthorizationAddress(text: string): string | null {
  if (text.length > maxAuthorizationLength || inertText(text) !== text || text.includes(' ')) return null;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return null;
  const onLoopback = url.protocol === 'http:' && loopbackHosts.has(url.hostname);
  return url.protocol === 'https:' || onLoopback ? url.href : null;
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);
