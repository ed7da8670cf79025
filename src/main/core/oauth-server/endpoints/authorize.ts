import type { IncomingMessage } from 'node:http';
import { AppError } from '#shared/errors/index.ts';
import type { AskedAuthorization, AuthorizationCheck } from '../checks/authorize/asked.ts';
import { checkCodeChallenge } from '../checks/authorize/code-challenge.ts';
import { loadClient } from '../checks/authorize/load-client.ts';
import { checkPrompt } from '../checks/authorize/prompt.ts';
import { checkRedirectUri } from '../checks/authorize/redirect-uri.ts';
import { rejectRequestObject } from '../checks/authorize/request-object.ts';
import { checkResponseMode, checkResponseType } from '../checks/authorize/response.ts';
import { rejectRepeated } from '../checks/repeated.ts';
import { checkResource } from '../checks/resource.ts';
import { checkScope } from '../checks/scopes.ts';
import { sendRedirect } from '../http/answers.ts';
import { parseParameters } from '../http/parameters.ts';
import type { Parameters } from '../http/parameters.ts';
import { readForm } from '../http/read-body.ts';
import { wireErrorOf } from '../http/refusals.ts';
import { paths } from '../paths.ts';
import type { Endpoint, ServerParts } from '../server-parts.ts';
import { jsonOf } from './library-answer.ts';

/** Until these have passed there is no address that an error may be sent to. */
const checksOfAddress: readonly AuthorizationCheck[] = [loadClient, checkRedirectUri];

/** What these refuse goes back to the client (RFC 6749 §4.1.2.1). */
const checks: readonly AuthorizationCheck[] = [
  rejectRepeated,
  rejectRequestObject,
  checkResponseType,
  checkResponseMode,
  checkCodeChallenge,
  checkResource,
  checkScope,
  checkPrompt,
];

/** What of a request the library gets to see. */
const passedOn = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'state',
];

/** The authorization endpoint (OAuth 2.1 §4.1.1), by GET or POST. */
export function createAuthorize({ options, facts, library, cookies }: ServerParts): Endpoint {
  return async ({ request, response }) => {
    const asked: AskedAuthorization = { parameters: await readParameters(request), client: null };
    for (const check of checksOfAddress) await check(asked, facts);
    try {
      for (const check of checks) await check(asked, facts);
    } catch (failure) {
      if (!(failure instanceof AppError) || failure.status >= 500) throw failure;
      const location = refusalLocation(asked, { failure, issuer: options.issuer });
      sendRedirect(response, { location });
      return;
    }
    const query = queryFor(asked.parameters, facts.defaultScopes);
    const answer = await library.run({ path: paths.authorize, query });
    if (answer.location === null) jsonOf(answer);
    sendRedirect(response, {
      location: answer.location ?? paths.authorize,
      cookies: cookies.outgoing(answer.cookies),
    });
  };
}

function readParameters(request: IncomingMessage): Parameters | Promise<Parameters> {
  if (request.method === 'POST') return readForm(request);
  const url = request.url ?? '';
  const start = url.indexOf('?');
  return parseParameters(start < 0 ? '' : url.slice(start + 1));
}

function queryFor({ values }: Parameters, defaultScopes: readonly string[]): Map<string, string> {
  const query = new Map<string, string>();
  for (const name of passedOn) {
    const value = values.get(name);
    if (value !== undefined) query.set(name, value);
  }
  query.set('scope', values.get('scope') ?? defaultScopes.join(' '));
  // Whatever the client asked for, a person agrees; the library drops `offline_access` without this word.
  return query.set('prompt', 'consent');
}

/** The registered address with the error, the client's state and the issuer (RFC 9207). */
function refusalLocation(
  { parameters: { values, repeated } }: AskedAuthorization,
  { failure, issuer }: { failure: AppError; issuer: string },
): string {
  const { error, error_description } = wireErrorOf(failure);
  const location = new URL(values.get('redirect_uri') ?? '');
  location.searchParams.set('error', error);
  location.searchParams.set('error_description', error_description);
  const state = values.get('state');
  if (state !== undefined && !repeated.has('state')) location.searchParams.set('state', state);
  location.searchParams.set('iss', issuer);
  return location.href;
}
