import { refuse } from '../refuse.ts';
import type { AuthorizationCheck } from './asked.ts';

/** Without one known client there is nobody whose address could be trusted (RFC 6749 §4.1.2.1). */
export const loadClient: AuthorizationCheck = async (asked, server) => {
  const { values, repeated } = asked.parameters;
  const clientId = values.get('client_id');
  if (clientId === undefined || repeated.has('client_id')) {
    refuse('oauth_invalid_request', '`client_id` must be sent once.');
  }
  asked.client = await server.findClient(clientId);
  if (asked.client === null) refuse('oauth_invalid_client', 'The client is not registered here.');
};
