import { type AuthorizationServer, dynamicClientRegistrationRequest } from 'oauth4webapi';
import { z } from 'zod';
import { AppError, catalogue, fieldPath, parseStrictJson } from '#shared/errors/index.ts';
import { withServiceWords } from '../../answers.ts';
import { readRefusal } from '../failures.ts';
import type { RegisteredClient } from '../grants.ts';
import type { ServerRequests } from '../guarded-fetch.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

const failed = catalogue.registration_failed.text;

/**
 * Registers Countersign as a public client for one redirect URI (RFC 7591 §3, contract §5.3). No scope is registered: it is
 * asked for at each authorization. Fails with `registration_failed`, or as the request does.
 */
export async function registerClient(
  server: AuthorizationServer,
  redirectUri: string,
  requests: ServerRequests,
): Promise<RegisteredClient> {
  if (server.registration_endpoint === undefined) {
    throw new AppError('registration_failed', {
      message: sentence`${ownWords(failed)} Its sign-in documents name no registration_endpoint.`,
    });
  }
  const answer = await dynamicClientRegistrationRequest(server, metadataOf(redirectUri), requests);
  const text = await answer.text();
  // Some servers answer 200 where the standard says 201.
  if (answer.status !== 201 && answer.status !== 200) {
    const { message, data } = withServiceWords(failed, readRefusal(text).words);
    throw new AppError('registration_failed', { message, data: { ...data, status: answer.status } });
  }
  return { issuer: server.issuer, clientId: readClientId(text, redirectUri), redirectUri };
}

function metadataOf(redirectUri: string) {
  return {
    client_name: 'Countersign',
    // Servers that know OpenID take a loopback address from native clients only.
    application_type: 'native',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

const registeredSchema = z.object({
  client_id: z.string().regex(/^[\x20-\x7e]{1,2048}$/, 'is not a text of printable ASCII'),
  token_endpoint_auth_method: z.literal('none', 'is not none, the method of a public client').nullish(),
  redirect_uris: z.array(z.string()).nullish(),
});

/**
 * Refuses a registration other than the one asked for: a server may change anything (RFC 7591 §3.2.1). Some give every client a
 * `client_secret`; a public client neither keeps nor sends it.
 */
function readClientId(text: string, redirectUri: string): string {
  const { data, error } = registeredSchema.safeParse(valueOf(text));
  if (error !== undefined) {
    const [issue] = error.issues;
    throw unusable(
      issue?.path.length ? `${fieldPath(issue.path)} ${issue.message}` : 'it is not strict JSON',
    );
  }
  if (data.redirect_uris != null && !data.redirect_uris.includes(redirectUri)) {
    throw unusable('redirect_uris does not hold the address that was asked for');
  }
  return data.client_id;
}

function valueOf(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch {
    return null;
  }
}

function unusable(what: string): AppError {
  return new AppError('registration_failed', {
    message: sentence`The service’s answer to the registration cannot be used: ${ownWords(what)}.`,
  });
}
