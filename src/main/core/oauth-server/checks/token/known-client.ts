import type { Client } from '../../clients.ts';
import type { Parameters } from '../../http/parameters.ts';
import type { ServerFacts } from '../facts.ts';
import { refuse } from '../refuse.ts';

/** The client that a request names. Fails with `oauth_invalid_client` for an unknown one (RFC 6749 §5.2). */
export async function findKnownClient({ values }: Parameters, server: ServerFacts): Promise<Client> {
  const clientId = values.get('client_id');
  if (clientId === undefined) refuse('oauth_invalid_request', '`client_id` is missing.');
  const client = await server.findClient(clientId);
  return client ?? refuse('oauth_invalid_client', 'The client is not registered here.');
}
