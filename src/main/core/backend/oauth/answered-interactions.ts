import type { InteractionStrategy } from '#core/oauth-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Consent } from './consent.ts';

/** Answers in the process, at once, for the named clients; everybody else is denied without a question. */
export function createAnsweredInteractions({
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
