import type { FastifyRequest } from 'fastify';
import type { CampaignContext } from '#shared/contract/index.ts';
import type { BackendStore } from '#core/store/backend/index.ts';

/** What the member endpoints work with. */
export interface MemberService {
  store: BackendStore;
  /** The tenant's types and settings; they do not change while it runs. */
  context: CampaignContext;
  /** The uid that the request's token names. */
  authenticate(request: FastifyRequest): number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The member who asks, set before the body is read; 0 where nobody signs in. */
    uid: number;
  }
}

/** The body of every success (contract §2.1); the update answer has no data. */
export function success(message: string, data?: object): string {
  return JSON.stringify({ status: 'success', message, ...(data === undefined ? {} : { data }) });
}
