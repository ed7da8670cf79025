import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { refuse } from '../refuse.ts';

const mostUris = 10;
const longestUri = 1024;
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Scheme and host as they stand in the text: what the parser would rewrite is not exact. Credentials, which stand before
 * the host, do not fit.
 */
const begin = /^(https?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?(?:[/?]|$)/i;

/** The exact addresses that answers may go to: https, or http on the loopback (contract §5.3). */
export function checkRedirectUris({ redirect_uris: uris }: JsonObject): string[] {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > mostUris) {
    refuse('oauth_invalid_redirect_uri', `\`redirect_uris\` must hold 1 to ${mostUris} addresses.`);
  }
  return uris.map(checkUri);
}

function checkUri(uri: unknown): string {
  if (typeof uri !== 'string' || uri.length > longestUri) {
    refuse('oauth_invalid_redirect_uri', 'A redirect URI must be a text of at most 1024 characters.');
  }
  if (!/^[!-~]+$/.test(uri) || /[\\#*<>"{}|^`]/.test(uri)) {
    refuse('oauth_invalid_redirect_uri', 'A redirect URI must be exact: no fragment, no wildcard.');
  }
  const parsed = URL.parse(uri);
  const [, scheme, host] = begin.exec(uri) ?? [];
  if (parsed === null || scheme === undefined || host?.toLowerCase() !== parsed.hostname) {
    refuse('oauth_invalid_redirect_uri', 'A redirect URI must be https, or http on localhost.');
  }
  if (parsed.protocol === 'http:' && !loopbackHosts.has(parsed.hostname)) {
    refuse('oauth_invalid_redirect_uri', 'http is for localhost only.');
  }
  return uri;
}
