import type { InteractionStrategy } from '#core/oauth-server/index.ts';
import type { BackendService } from '../service.ts';
import { createAnsweredInteractions } from './answered-interactions.ts';
import type { Consent } from './consent.ts';
import { createPageInteractions } from './page/page-interactions.ts';

/** The strategy for a way of consent. `password` opens every demo account on the page. */
export function createInteractions(
  service: BackendService,
  { consent, password }: { consent: Consent; password: string },
): InteractionStrategy {
  return consent.kind === 'page'
    ? createPageInteractions(service, password)
    : createAnsweredInteractions(consent);
}
