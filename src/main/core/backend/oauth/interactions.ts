import type { InteractionStrategy } from '#core/oauth-server/index.ts';
import type { BackendService } from '../service.ts';
import type { Consent } from './consent.ts';

/** The strategy for a way of consent. `password` opens every demo account on the page. */
export function createInteractions(
  service: BackendService,
  { consent, password }: { consent: Consent; password: string },
): InteractionStrategy {
  void service;
  void consent;
  void password;
  return { handle: async () => {} };
}
