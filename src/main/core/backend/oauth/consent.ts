import type { AuthorizationRequest, InteractionResult, KnownClient } from '#core/oauth-server/index.ts';

/**
 * Who answers for a person when a client asks for access.
 * - `page`: a page of the service's own, where demo accounts sign in with the password; anybody may register.
 * - `answered`: in the process, for the clients that are named here and nobody else; registration is refused.
 */
export type Consent =
  | { kind: 'page' }
  | {
      kind: 'answered';
      clients: readonly KnownClient[];
      answer(asked: AuthorizationRequest): InteractionResult | Promise<InteractionResult>;
    };
