import { AppError } from '#shared/errors/index.ts';
import type { AuthorizationServer, AuthorizationServerOptions } from './authorization-server.ts';

/** Makes the authorization server; nothing is listened to. */
export async function createAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  return {
    answers: () => false,
    handle: () => {},
    authenticate: async () => null,
    issueGrant: async () => {
      throw new AppError('internal');
    },
    revokeGrant: async () => {},
    onRevoked: () => () => {},
    resourceMetadataUrl: `${options.issuer}/.well-known/oauth-protected-resource/mcp`,
    dispose: async () => {},
  };
}
