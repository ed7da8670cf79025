/** What every address out of a service's documents must be before it is fetched or opened. */
export interface UrlPolicy {
  /** The address in the form in which it is used. Fails with `address_refused`, naming the document's field. */
  check(text: unknown, field: string): URL;
}

/**
 * The one policy (docs/architecture.md, "OAuth, as a client"): https to a public name, or http on the very loopback host that
 * the person configured; no credentials, no fragment, no private addresses. A service on the loopback names the loopback only.
 */
export function createUrlPolicy(_configured: { mcpUrl: string }): UrlPolicy {
  throw new Error('not yet');
}
