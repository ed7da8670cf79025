import type { IncomingMessage } from 'node:http';
import type { Parameters } from '../../http/parameters.ts';
import { refuse } from '../refuse.ts';

const secrets = ['client_secret', 'client_assertion', 'client_assertion_type'];

/** Every client is public and names itself in the body (contract §5.3): a secret that nobody gave out proves nothing. */
export function rejectOtherAuthentication(request: IncomingMessage, { values }: Parameters): void {
  if (request.headers.authorization !== undefined || secrets.some((name) => values.has(name))) {
    refuse('oauth_invalid_client', 'Clients do not authenticate here. Send only `client_id`.');
  }
}
