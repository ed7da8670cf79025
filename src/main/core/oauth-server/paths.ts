/** Where the authorization server answers, below its issuer. */
export const paths = {
  serverMetadata: '/.well-known/oauth-authorization-server',
  authorize: '/authorize',
  token: '/token',
  register: '/register',
  revoke: '/revoke',
  interaction: '/interaction',
} as const;

/** Where the metadata of a resource is: the well-known part goes before its path (RFC 9728 §3.1). */
export function resourceMetadataPath(resource: string): string {
  return `/.well-known/oauth-protected-resource${new URL(resource).pathname}`;
}
