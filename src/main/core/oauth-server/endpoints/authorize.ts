import type { IncomingMessage } from 'node:http';
import { AppError } from '#shared/errors/index.ts';
import { paths } from '../authorization-server.ts';
import {
  type AskedAuthorization,
  type AuthorizationCheck,
  checkCodeChallenge,
  checkPrompt,
  checkRedirectUri,
  checkResponseMode,
  checkResponseType,
  loadClient,
  rejectRequestObject,
} from '../checks/authorize.ts';
import { checkResource, checkScope, rejectRepeated } from '../checks/every-request.ts';
import { sendRedirect, wireErrorOf } from '../http/answer.ts';
import { type Parameters, parseParameters, readForm } from '../http/request.ts';
import { jsonOf } from '../library/exchange.ts';
import { cookieNames } from '../library/library.ts';
import type { Endpoint, ServerParts } from '../server-parts.ts';

/** Until these have passed there is no address that an error may be sent to. */
const checksOfAddress: readonly AuthorizationCheck[] = [loadClient, checkRedirectUri];

/** Refusals of these checks go back to the client (RFC 6749 §4.1.2.1). */
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

/** The parameters that are passed to the library. */
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
    const { run } = await library();
    const answer = await run({ path: paths.authorize, query });
    if (answer.location === null) jsonOf(answer);
    sendRedirect(response, {
      location: retainQuery(answer.location ?? paths.authorize, asked.parameters.values.get('redirect_uri')),
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
  // A person agrees in any case; the library drops `offline_access` without this word.
  return query.set('prompt', 'consent');
}

/** The redirect address with the error, the client's state and the issuer (RFC 9207). */
function refusalLocation(
  { parameters: { values, repeated } }: AskedAuthorization,
  { failure, issuer }: { failure: AppError; issuer: string },
): string {
  const { error, error_description } = wireErrorOf(failure);
  const state = repeated.has('state') ? undefined : values.get('state');
  const answer = { error, error_description, ...(state === undefined ? {} : { state }), iss: issuer };
  return withAnswer(values.get('redirect_uri') ?? '', Object.entries(answer));
}

/** A redirect address with an answer behind it. Its own query is retained as it was registered (RFC 6749 §3.1.2). */
function withAnswer(address: string, answer: [name: string, value: string][]): string {
  return `${address}${address.includes('?') ? '&' : '?'}${String(new URLSearchParams(answer))}`;
}

/**
 * The library's redirect to a client, with the address as it was registered: the library writes its query anew, and puts its answer in
 * place of parameters that have the same names. Any other redirect is returned as it is.
 */
function retainQuery(location: string, address: unknown): string {
  const sent = URL.parse(location);
  const own = typeof address === 'string' ? URL.parse(address) : null;
  if (sent === null || own === null || typeof address !== 'string') return location;
  if (sent.origin !== own.origin || sent.pathname !== own.pathname) return location;
  const added = [...sent.searchParams].filter(([name, value]) => !own.searchParams.has(name, value));
  return withAnswer(address, added);
}

/** The address to which the browser returns after a person has answered; redirects to the client with code or refusal. */
export function createResume({ options, library, cookies }: ServerParts): Endpoint {
  return async ({ request, response, path }) => {
    const id = path.slice(paths.authorize.length + 1);
    if (cookies.valueOf(request, cookieNames(options.issuer).resume) !== id) {
      throw new AppError('oauth_interaction_unknown');
    }
    const { run, provider } = await library();
    // The library forgets it as it answers.
    const interaction = await provider.Interaction.find(id);
    const answer = await run({ path, cookie: cookies.incoming(request) });
    if (answer.location === null) {
      jsonOf(answer);
      throw new AppError('oauth_interaction_unknown');
    }
    const location = retainQuery(answer.location, interaction?.params['redirect_uri']);
    sendRedirect(response, { location, cookies: cookies.outgoing(answer.cookies) });
  };
}
