import type {
  InteractionStrategy,
  AuthorizationRequest,
  InteractionResult,
  KnownClient,
} from '#core/oauth-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { BackendService } from '../service.ts';
import { createPageInteractions } from './page-interactions.ts';

/** The strategy for a way of consent. `password` opens every demo account on the page. */
export function createInteractions(
  service: BackendService,
  { consent, password }: { consent: Consent; password: string },
): InteractionStrategy {
  return consent.kind === 'page'
    ? createPageInteractions(service, password)
    : createAnsweredInteractions(consent);
}

/**
 * The party that answers for a person when a client asks for access.
 * - `page`: a page of the service's own, where demo accounts sign in with the password; anybody may register.
 * - `answered`: in the process, only for the clients that are named here; registration is refused.
 */
export type Consent =
  | { kind: 'page' }
  | {
      kind: 'answered';
      clients: readonly KnownClient[];
      answer(asked: AuthorizationRequest): InteractionResult | Promise<InteractionResult>;
    };

/** Answers in the process, at once, for the named clients; denies all others without a question. */
function createAnsweredInteractions({
  clients,
  answer,
}: Extract<Consent, { kind: 'answered' }>): InteractionStrategy {
  return {
    async handle(asked, { request, subpath, finish }) {
      if (subpath !== '' || request.method !== 'GET') throw new AppError('not_found');
      const isNamed = clients.some(({ clientId }) => clientId === asked.clientId);
      await finish(isNamed ? await answer(asked) : { kind: 'denied' });
    },
  };
}
