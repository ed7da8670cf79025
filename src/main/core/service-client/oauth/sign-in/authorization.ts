import {
  authorizationCodeGrantRequest,
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  None,
  validateAuthResponse,
  type AuthorizationServer,
} from 'oauth4webapi';
import { AppError, catalogue } from '#shared/errors/index.ts';
import { withServiceWords } from '../../answers.ts';
import type { RegisteredClient } from '../grants.ts';
import { refusalIn } from '../failures.ts';
import type { ServerRequests } from '../guarded-fetch.ts';
import { askForTokens, type TokenOutcome } from '../tokens.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** One request for access, from its address to its exchange. The verifier stays in here. */
export interface Authorization {
  /** The address that the browser opens (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2). */
  address: string;
  /**
   * Checks the answer of the authorization server. Fails with `sign_in_refused` in the server's words, or with
   * `sign_in_mismatch`.
   */
  check(answer: URLSearchParams): CheckedAnswer;
  /** Exchanges the code. A code works once: a second call is a bug and throws. */
  exchange(answer: CheckedAnswer, requests: ServerRequests): Promise<TokenOutcome>;
}

/** An answer that belongs to its request. Only the check makes it. */
export type CheckedAnswer = ReturnType<typeof validateAuthResponse>;

export interface AuthorizationOptions {
  server: AuthorizationServer;
  client: RegisteredClient;
  resource: string;
  scopes: readonly string[];
  state: string;
}

/** Prepares one request with a verifier of its own. */
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
      return askForTokens([answer.get('code') ?? '', verifier], () =>
        authorizationCodeGrantRequest(server, known, None(), answer, client.redirectUri, verifier, {
          ...requests,
          additionalParameters: { resource },
        }),
      );
    },
  };
}

/** The endpoint may have a query of its own, which stays (RFC 6749 §3.1); ours replaces what has the same name. */
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
  // The library takes an empty `iss` for none; RFC 9207 §2.4 compares what is there.
  if (answer.has('iss') && answer.get('iss') !== issuer) throw mismatch('iss is not the issuer');
  try {
    return validate();
  } catch (failure) {
    if (!(failure instanceof AuthorizationResponseError)) throw mismatch(wordsOf(failure));
    const { error, words } = refusalIn(failure.error, failure.error_description);
    const { message, data } = withServiceWords(catalogue.sign_in_refused.text, words);
    throw new AppError('sign_in_refused', { message, data: { ...data, error } });
  }
}

/** The library's own words for a rule; they repeat no value. */
function wordsOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : 'it cannot be read';
}

function mismatch(what: string): AppError {
  return new AppError('sign_in_mismatch', {
    message: sentence`${ownWords(catalogue.sign_in_mismatch.text)} (${ownWords(what)})`,
  });
}
