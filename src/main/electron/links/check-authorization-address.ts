import { inertText } from '#shared/lib/inert-text.ts';

/** Longer than any authorization request, in characters. */
const maxLength = 4_000;

/**
 * The host's own look at an authorization address of the core, which has passed the core's policy already: https, or http on
 * this machine's loopback; no credentials, nothing hidden. Returns the address that is opened, or null.
 */
export function checkAuthorizationAddress(text: string): string | null {
  if (text.length > maxLength || inertText(text) !== text || text.includes(' ')) return null;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return null;
  const onLoopback = url.protocol === 'http:' && loopbackHosts.has(url.hostname);
  return url.protocol === 'https:' || onLoopback ? url.href : null;
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);
