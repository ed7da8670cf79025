import {
  authorizationCodeGrantRequest,
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  None,
  validateAuthResponse,
  type AuthorizationServer,
  dynamicClientRegistrationRequest,
} from 'oauth4webapi';
import { AppError, catalogue, fieldPath, parseStrictJson } from '#shared/errors/index.ts';
import { withServiceWords } from '../../answers.ts';
import type { RegisteredClient } from '../grants.ts';
import { toRefusal, readRefusal, type ServerRequests } from '../oauth-requests.ts';
import { requestTokens, type TokenOutcome } from '../tokens.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import { z } from 'zod';

/** One authorization request, from its address to the exchange of its code. The PKCE verifier is not exposed. */
export interface Authorization {
  /** The address that the browser opens (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2). */
  address: string;
  /** Checks the server's answer. Fails with `sign_in_refused` and the server's message, or with `sign_in_mismatch`. */
  check(answer: URLSearchParams): CheckedAnswer;
  /** Exchanges the code. A code works once, so a second call is a bug and throws. */
  exchange(answer: CheckedAnswer, requests: ServerRequests): Promise<TokenOutcome>;
}

type CheckedAnswer = ReturnType<typeof validateAuthResponse>;

interface AuthorizationOptions {
  server: AuthorizationServer;
  client: RegisteredClient;
  resource: string;
  scopes: readonly string[];
  state: string;
}

export async function prepareAuthorization(options: AuthorizationOptions): Promise<Authorization> {
  const { server, client, resource, state } = options;
  const verifier = generateRandomCodeVerifier();
  const known = { client_id: client.clientId };
  let isExchanged = false;
  return {
    address: addressOf(options, await calculatePKCECodeChallenge(verifier)),
    check: (answer) => checkAnswer(server, answer, () => validateAuthResponse(server, known, answer, state)),
    exchange(answer, requests) {
      if (isExchanged) throw new Error('The code was exchanged already');
      isExchanged = true;
      return requestTokens([answer.get('code') ?? '', verifier], () =>
        authorizationCodeGrantRequest(server, known, None(), answer, client.redirectUri, verifier, {
          ...requests,
          additionalParameters: { resource },
        }),
      );
    },
  };
}

/** Keeps the endpoint's query parameters (RFC 6749 §3.1), unless ours have the same names. */
function addressOf(
  { server, client, resource, scopes, state }: AuthorizationOptions,
  codeChallenge: string,
): string {
  const address = new URL(server.authorization_endpoint ?? '');
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    scope: scopes.join(' '),
    resource,
    state,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}

function checkAnswer(
  { issuer }: AuthorizationServer,
  answer: URLSearchParams,
  validate: () => CheckedAnswer,
): CheckedAnswer {
  // The library treats an empty `iss` as missing. RFC 9207 §2.4 requires comparing it.
  if (answer.has('iss') && answer.get('iss') !== issuer) throw mismatch('iss is not the issuer');
  try {
    return validate();
  } catch (failure) {
    if (!(failure instanceof AuthorizationResponseError)) throw mismatch(wordsOf(failure));
    const { error, words } = toRefusal(failure.error, failure.error_description);
    const { message, data } = withServiceWords(catalogue.sign_in_refused.text, words);
    throw new AppError('sign_in_refused', { message, data: { ...data, error } });
  }
}

function wordsOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : 'it cannot be read';
}

function mismatch(what: string): AppError {
  return new AppError('sign_in_mismatch', {
    message: sentence`${ownWords(catalogue.sign_in_mismatch.text)} (${ownWords(what)})`,
  });
}

const failed = catalogue.registration_failed.text;

/** Registers a public client without a scope for one redirect URI (RFC 7591 §3, contract §5.3). Fails with `registration_failed`. */
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
  // The standard requires 201, but some servers answer 200.
  if (answer.status !== 201 && answer.status !== 200) {
    const { message, data } = withServiceWords(failed, readRefusal(text).words);
    throw new AppError('registration_failed', { message, data: { ...data, status: answer.status } });
  }
  return { issuer: server.issuer, clientId: readClientId(text, redirectUri), redirectUri };
}

function metadataOf(redirectUri: string) {
  return {
    client_name: 'Countersign',
    // OpenID servers accept a loopback address only from native clients.
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

/** A server may change any metadata (RFC 7591 §3.2.1). Some servers return a `client_secret`, which a public client never sends. */
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
