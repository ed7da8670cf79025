import type { IncomingMessage } from 'node:http';
import { refuse } from '../refuse.ts';

/** Codes and tokens never travel in an address, where logs keep them (RFC 6749 §3.2, contract §5.3). */
export function rejectQuery(request: IncomingMessage): void {
  if ((request.url ?? '').includes('?')) {
    refuse('oauth_invalid_request', 'Send the parameters in the body, not in the address.');
  }
}
