import { AppError } from '#shared/errors/index.ts';
import { isPublicName } from '#shared/lib/web-address.ts';
import { quotation } from '../answers.ts';
import { isLoopback } from '#system/http/public-address.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** Requirements on every address from a service's documents before it is fetched or opened. */
export interface UrlPolicy {
  /**
   * The address in the form in which it is used. Fails with `address_refused`, naming the document's field; its
   * `data.sent` is false.
   */
  check(text: unknown, field: string): URL;
  /** True for the host that the person configured, whatever it resolves to. */
  isConfigured(url: URL): boolean;
}

/** Longer than any endpoint's address, in characters; the authorization address adds its parameters later. */
const maxLength = 2_000;

/** Characters allowed in an address (RFC 3986 §2): nothing hidden, nothing that parsers read differently, no backslash. */
const plainCharacters = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/;

/** Scheme and authority, spelled out: no user, and a port where there is a colon. */
const plainAuthority = /^(https?):\/\/(\[[\da-f:.]+\]|[a-z\d._-]+)(?::\d{1,5})?(?=[/?]|$)/i;

/**
 * The one policy (docs/live-service.md): https to a public name or to the configured host, or http on
 * the very loopback host that the person configured, on any port; no credentials, no fragment, no private addresses. A service
 * on the loopback names its own host only; a service on https names https only.
 */
export function createUrlPolicy({ mcpUrl }: { mcpUrl: string }): UrlPolicy {
  const configured = new URL(mcpUrl);
  const isConfigured = ({ hostname }: URL): boolean => hostname === configured.hostname;
  return {
    check(text, field) {
      const url = parse(text, field);
      const because = refusedBecause(url, configured);
      if (because !== null) throw refused(text, field, because);
      return url;
    },
    isConfigured,
  };
}

function parse(text: unknown, field: string): URL {
  const read = readPlainAddress(text);
  if (read.url === null) throw refused(text, field, read.because);
  return read.url;
}

/** The address that a text names; without one, the reason why the text is no plain http or https address. */
export type PlainAddress = { url: URL } | { url: null; because: string };

/** Reads a foreign address only after it turned out to have one reading. */
export function readPlainAddress(text: unknown): PlainAddress {
  const none = (because: string): PlainAddress => ({ url: null, because });
  if (typeof text !== 'string') return none('it is not a text');
  if (text.length > maxLength) return none('it is too long');
  if (!plainCharacters.test(text)) return none('it has characters that an address has not');
  if (text.includes('#')) return none('it has a fragment');
  const host = plainAuthority.exec(text)?.[2]?.toLowerCase();
  if (host === undefined) return none('it is not a plain http or https address');
  const url = URL.parse(text);
  // A number in another spelling (0x7f.1, 2130706433) is parsed into the address that it hides.
  if (url === null || url.hostname !== host || url.port === '0') {
    return none('its host or port is not written as it would be used');
  }
  return { url };
}

/** Null where the address may be used. */
function refusedBecause(url: URL, configured: URL): string | null {
  const own = url.hostname === configured.hostname;
  const onLoopback = isLoopback(configured.hostname);
  if (url.protocol !== 'https:' && !(own && onLoopback && configured.protocol === 'http:')) {
    return 'it is not https';
  }
  if (own) return null;
  if (onLoopback) return 'a service on this machine names its own host only';
  return isPublicName(url.hostname) ? null : 'its host is no public name';
}

function refused(text: unknown, field: string, because: string): AppError {
  const address = typeof text === 'string' ? sentence` ${quotation(text)}` : '';
  return new AppError('address_refused', {
    message: sentence`The service names an address that Countersign does not open, in ${ownWords(field + address)}: ${ownWords(because)}.`,
    data: { field, sent: false },
  });
}
