import type { ErrorCode } from './catalogue.ts';

/** What a service says with an HTTP status that refuses (contract §7.1; 429 and 503 as in §7.3). */
export const refusalCodes: Readonly<Partial<Record<number, ErrorCode>>> = {
  400: 'operation_refused',
  401: 'unauthenticated',
  402: 'insufficient_balance',
  403: 'forbidden',
  404: 'campaign_not_found',
  422: 'validation_failed',
  429: 'rate_limited',
  503: 'service_unavailable',
};
