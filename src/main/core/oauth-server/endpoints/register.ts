import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  checkAuthenticationMethod,
  checkClientName,
  checkGrantTypes,
  checkRedirectUris,
  checkResponseTypes,
  mayVaryPort,
} from '../checks/register.ts';
import type { ServerFacts } from '../checks/every-request.ts';
import { rejectQuery } from '../checks/token.ts';
import type { Client } from '../client-metadata.ts';
import { sendJson } from '../http/answer.ts';
import { readJson } from '../http/request.ts';
import type { Endpoint, ServerParts } from '../server-parts.ts';

/** All callers share one quota: a new client has no id yet. */
const sharedCaller = '';

/**
 * Registration of public clients (RFC 7591 §3). Metadata that mean nothing here are ignored, a scope among them: what a
 * client may do is asked at each authorization.
 */
export function createRegister({ options, facts, clients, registrationQuota }: ServerParts): Endpoint {
  const { registration, ids, clock } = options;
  return async (exchange) => {
    if (registration.kind === 'closed') throw new AppError('oauth_access_denied');
    rejectQuery(exchange.request);
    registrationQuota.take(sharedCaller);
    const client = clientOf(ids.id(), await readJson(exchange.request), facts);
    await clients.save(client);
    sendJson(exchange, 201, {
      client_id: client.clientId,
      client_id_issued_at: Math.floor(clock.nowMs() / 1000),
      ...(client.clientName === null ? {} : { client_name: client.clientName }),
      redirect_uris: client.redirectUris,
      grant_types: client.grantTypes,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  };
}

function clientOf(clientId: string, metadata: JsonObject, facts: ServerFacts): Client {
  checkAuthenticationMethod(metadata);
  checkResponseTypes(metadata);
  const redirectUris = checkRedirectUris(metadata, facts);
  return {
    clientId,
    redirectUris,
    grantTypes: checkGrantTypes(metadata),
    clientName: checkClientName(metadata),
    anyLoopbackPort: facts.nativeApps && mayVaryPort(redirectUris),
  };
}
