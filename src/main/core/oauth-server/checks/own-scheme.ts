/** What helps a program that can be answered at a scheme of its own only (RFC 8252 §7.1). */
export const ownSchemeRemedy =
  'A program that is answered at a scheme of its own connects through mcp-remote.';

/** Whether an address has a scheme that belongs to a program, not to the web. */
export function hasOwnScheme(uri: unknown): boolean {
  return typeof uri === 'string' && /^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(uri);
}
