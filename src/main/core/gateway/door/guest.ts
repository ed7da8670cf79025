import type { AuthorizationRequest } from '#core/oauth-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Admission } from '#core/proposals/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import { twoWords } from './words.ts';

/** Somebody who asked to be let in and waits in a browser. */
export interface Guest {
  admission: Admission;
  proposalId: string;
  askedAtMs: number;
  /** Its browser cannot come back after this. */
  expiresAtMs: number;
  /** The browser has shown how it ended. */
  isTold: boolean;
}

/** What an admission's state means to who waits: it goes on, it is let in, or it is not. */
export const fates: Readonly<Record<ProposalState, 'waits' | 'enters' | 'leaves'>> = {
  proposed: 'waits',
  shown: 'waits',
  approved: 'waits',
  intent: 'waits',
  sent: 'waits',
  unknown: 'waits',
  verified: 'enters',
  done: 'enters',
  differs: 'leaves',
  refused: 'leaves',
  denied: 'leaves',
  expired: 'leaves',
  withdrawn: 'leaves',
  stale: 'leaves',
};

/** What a person is asked about this request for access. The address of the interaction, a secret, is not in it. */
export function admissionOf(asked: AuthorizationRequest, ids: Ids): Admission {
  const { clientId, clientName, redirectUri, grantTypes, scopes } = asked;
  return {
    agentId: ids.id(),
    clientId,
    name: clientName === null || clientName.trim() === '' ? 'Unnamed program' : clientName,
    redirectHost: new URL(redirectUri).hostname,
    scopes: [...new Set(scopes)],
    renews: grantTypes.includes('refresh_token'),
    words: twoWords(ids.secret()),
  };
}

/** The browser needs a while after the decision, to look again and to finish. */
const leftForBrowserMs = 60_000;

/** Until when a person may decide: the browser has to be able to carry the answer. */
export function lastMoment({ expiresAtMs }: Pick<AuthorizationRequest, 'expiresAtMs'>): number {
  return expiresAtMs - leftForBrowserMs;
}

/** Whether it is too late to ask a person at all. */
export function isTooLate(asked: AuthorizationRequest, clock: Clock): boolean {
  return lastMoment(asked) <= clock.nowMs();
}
