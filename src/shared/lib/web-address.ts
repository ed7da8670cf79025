/** True for a public name: at least two labels, the last of which is no number. False for IP addresses and local names. */
export function isPublicName(hostname: string): boolean {
  const labels = hostname.split('.');
  const last = labels.at(-1) ?? '';
  const wellFormed = labels.every((label) => /^[a-z\d](?:[a-z\d_-]*[a-z\d])?$/.test(label));
  return (
    labels.length >= 2 && wellFormed && /^(?:[a-z]{2,}|xn--[a-z\d-]+)$/.test(last) && !ownNames.has(last)
  );
}

const ownNames = new Set([
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'lan',
  'home',
  'corp',
  'arpa',
  'test',
  'invalid',
]);

/** The URL parser of every environment. It is declared here because shared code has neither DOM nor Node types. */
interface UrlParser {
  parse(text: string): { protocol: string; hostname: string; host: string } | null;
}

const parser = (globalThis as unknown as { URL: UrlParser }).URL;

/** Macros of the service in an address: `{click_id}` and `[CLICKID]`. */
export const addressMacro: RegExp = /\{+[\w.:|-]+\}+|\[\w+\]/g;
const refused = /[\s\\\p{Cc}]/u;

/** The host in lower case with its port. Null if the text is no HTTP(S) address. Macros may occur anywhere. */
export function webHost(text: string): string | null {
  if (!/^https?:\/\/[^/]/i.test(text) || refused.test(text)) return null;
  const found = parser.parse(text.replace(addressMacro, 'x'));
  return found === null || found.hostname === '' ? null : found.host;
}

/** Host characters that a browser drops or replaces, so that it opens another host than the one a person reads. */
const unplain = /\p{Default_Ignorable_Code_Point}|[\u3002\uFF0E\uFF61]/u;

/** True for an HTTP(S) address without userinfo whose host is equal by WHATWG URL and by RFC 3986 §3.2.2. Macros may occur. */
export function isPlainAddress(text: string): boolean {
  if (webHost(text) === null) return false;
  const plain = text.replace(addressMacro, 'x');
  const authority = /^https?:\/\/([^/?#]*)/iu.exec(plain)?.[1] ?? '';
  if (authority.includes('@')) return false;
  const host = authority.replace(/:\d*$/u, '').toLowerCase();
  const opened = parser.parse(plain)?.hostname;
  // Browsers open a host in another script in its ASCII form.
  const isForeign = /[^\p{ASCII}]/u.test(host) && !unplain.test(host) && host.normalize('NFKC') === host;
  return host === opened || isForeign;
}
