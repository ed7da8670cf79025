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
  /** Opens the authorization address of a sign-in that a person just started. Resolves to false if it was not opened; never rejects. */
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
        // There is no browser or it does not start. The person sees that nothing opened.
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
      /** ASCII only, so that the displayed address is exactly the opened address. */
      address: string;
      /** In the form that cannot hide look-alike letters (`xn--…`), with the port unless it is 443. */
      host: string;
      /** True if a program opens the link itself; `host` is then its name. */
      client?: true;
    }
  | { kind: 'refused'; because: LinkRefusal };

export type LinkRefusal =
  'too long' | 'hidden characters' | 'not an address' | 'not https' | 'credentials' | 'host';

const maxLinkLength = 2_000;

/**
 * The only policy for addresses that are given to other programs: https with a public name and nothing hidden, or exactly one of
 * the links with which a client adds Countersign.
 */
export function checkExternalLink(text: string): ExternalLink {
  if (codePointLength(text) > maxLinkLength) return refused('too long');
  const client = clientOfInstallLink(text);
  if (client !== null) return { kind: 'fine', address: text, host: client, client: true };
  if (inertText(text) !== text || text.includes(' ')) return refused('hidden characters');
  const url = URL.parse(text);
  if (url === null) return refused('not an address');
  if (url.protocol !== 'https:') return refused('not https');
  // URL parsing drops an empty user name, so only the text shows it.
  if (url.username !== '' || url.password !== '' || authorityOf(text).includes('@'))
    return refused('credentials');
  if (!isPublicName(url.hostname)) return refused('host');
  return { kind: 'fine', address: url.href, host: url.host };
}

const refused = (because: LinkRefusal): ExternalLink => ({ kind: 'refused', because });

/** Accepts backslashes, because URL parsers treat them as slashes in an https address. */
function authorityOf(text: string): string {
  return text.replace(/^[^:]*:[/\\]*/, '').split(/[/\\?#]/, 1)[0] ?? '';
}

const maxAuthorizationLength = 4_000;

/** Checks an authorization address: https, or http on the loopback; no credentials, no hidden characters. Returns null if refused. */
export function checkAuthorizationAddress(text: string): string | null {
  if (text.length > maxAuthorizationLength || inertText(text) !== text || text.includes(' ')) return null;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return null;
  const onLoopback = url.protocol === 'http:' && loopbackHosts.has(url.hostname);
  return url.protocol === 'https:' || onLoopback ? url.href : null;
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);
