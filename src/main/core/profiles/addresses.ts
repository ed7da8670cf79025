import type { ServiceAddresses } from '#shared/app-api/index.ts';
import type { FieldError } from '#shared/errors/index.ts';

/** Addresses that passed, or every field that did not. */
export type CheckedAddresses =
  { kind: 'fine'; addresses: ServiceAddresses } | { kind: 'refused'; fields: FieldError[] };

/**
 * Reads the three addresses of a service as a person wrote them (contract, address placeholders): https, or http on this
 * machine's loopback; `baseUrl` ends in `/api/v1`; the other two are origins. A slash at the end is dropped.
 */
export function checkAddresses(_written: ServiceAddresses): CheckedAddresses {
  throw new Error('not yet');
}
