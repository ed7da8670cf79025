import type { IncomingMessage } from 'node:http';
import { AppError } from '#shared/errors/index.ts';
import { type AuthorizationRequest, type InteractionResult, paths } from '../authorization-server.ts';
import {
  type Endpoint,
  type OAuthExchange,
  type ServerFacts,
  type ServerParts,
  checkResource,
  checkScope,
  hasPrivateScheme,
  leadsToServer,
  privateSchemeRemedy,
  refuse,
  rejectRepeated,
  requireParameter,
} from '../checks.ts';
import { type Parameters, parseParameters, readForm, sendRedirect, toWireError } from '../http.ts';
import { type Interaction, cookieNames, jsonOf } from '../library/exchange.ts';
import type { Client } from '../tokens/grants.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

interface ParsedAuthorization {
  parameters: Parameters;
  client: Client | null;
}

type AuthorizationCheck = (asked: ParsedAuthorization, server: ServerFacts) => void | Promise<void>;

/** Without a known client, no redirect URI can be trusted (RFC 6749 §4.1.2.1). */
const loadClient: AuthorizationCheck = async (asked, server) => {
  const { values, repeated } = asked.parameters;
  const clientId = values.get('client_id');
  if (clientId === undefined || repeated.has('client_id')) {
    refuse('oauth_invalid_request', '`client_id` must be sent once.');
  }
  asked.client = await server.findClient(clientId);
  if (asked.client === null) refuse('oauth_invalid_client', 'The client is not registered here.');
};

/**
 * Requires a registered address, character for character (contract §5.3, RFC 9700 §2.1). Only the port
 * of a native app's loopback address may differ, because the app uses any free port (RFC 8252 §7.3).
 */
const checkRedirectUri: AuthorizationCheck = ({ parameters, client }, facts) => {
  const { nativeApps } = facts;
  const { values, repeated } = parameters;
  const uri = values.get('redirect_uri');
  if (uri === undefined || repeated.has('redirect_uri')) {
    refuse('oauth_invalid_request', '`redirect_uri` must be sent once.');
  }
  const parsed = URL.parse(uri);
  if (parsed !== null && leadsToServer(parsed, facts)) {
    refuse('oauth_invalid_redirect_uri', 'A redirect URI must not lead to this server itself.');
  }
  if (client !== null && isRegistered(uri, client)) return;
  const hasRemedy = nativeApps && hasPrivateScheme(uri);
  const fault = 'The redirect URI is not registered for this client.';
  refuse(
    'oauth_invalid_redirect_uri',
    sentence`${ownWords(hasRemedy ? `${fault} ${privateSchemeRemedy}` : fault)}`,
  );
};

function isRegistered(uri: string, { redirectUris, anyLoopbackPort }: Client): boolean {
  if (redirectUris.includes(uri)) return true;
  const portless = anyLoopbackPort ? withoutPort(uri) : null;
  return portless !== null && redirectUris.some((registered) => withoutPort(registered) === portless);
}

const loopbackUriPattern = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::[1-9]\d{0,4})?((?:[/?].*)?)$/;

/** Removes the port of an http address on the loopback, because it may vary. Null for any other address. */
function withoutPort(uri: string): string | null {
  const [, host, rest] = loopbackUriPattern.exec(uri) ?? [];
  return host === undefined || rest === undefined || URL.parse(uri) === null ? null : `${host}${rest}`;
}

/** Refuses request objects: parameters in a JWT or at an address (RFC 9101). */
const rejectRequestObject: AuthorizationCheck = ({ parameters: { values } }) => {
  if (values.has('request') || values.has('request_uri')) refuse('oauth_request_not_supported');
};

/** Allows only `code` (OAuth 2.1 §4.1.1). */
const checkResponseType: AuthorizationCheck = ({ parameters }) => {
  const type = requireParameter(parameters, 'response_type');
  if (type !== 'code') refuse('oauth_unsupported_response_type');
};

/** Allows only an answer in the query of the redirect URI. */
const checkResponseMode: AuthorizationCheck = ({ parameters: { values } }) => {
  if ((values.get('response_mode') ?? 'query') !== 'query') {
    refuse('oauth_invalid_request', 'Only `response_mode=query` is offered.');
  }
};

/** Requires PKCE with S256 (contract §5.3, RFC 7636 §4.3). */
const checkCodeChallenge: AuthorizationCheck = ({ parameters }) => {
  const challenge = requireParameter(parameters, 'code_challenge');
  if (parameters.values.get('code_challenge_method') !== 'S256') {
    refuse('oauth_invalid_request', '`code_challenge_method` must be S256.');
  }
  if (!/^[\w.~-]{43,128}$/.test(challenge)) {
    refuse('oauth_invalid_request', '`code_challenge` is not well-formed.');
  }
};

const prompts = new Set(['login', 'consent', 'select_account']);

/** Refuses `none`, because a person is always asked, and unknown values. */
const checkPrompt: AuthorizationCheck = ({ parameters: { values } }) => {
  const asked = values.get('prompt');
  if (asked === undefined) return;
  if (asked === 'none') refuse('oauth_interaction_required');
  if (!asked.split(' ').every((prompt) => prompts.has(prompt))) {
    refuse('oauth_invalid_request', 'The `prompt` is not known.');
  }
};

/** These checks run first, because an error is redirected only to a checked address. */
const redirectChecks: readonly AuthorizationCheck[] = [loadClient, checkRedirectUri];

/** Refusals of these checks are sent to the client (RFC 6749 §4.1.2.1). */
const requestChecks: readonly AuthorizationCheck[] = [
  rejectRepeated,
  rejectRequestObject,
  checkResponseType,
  checkResponseMode,
  checkCodeChallenge,
  checkResource,
  checkScope,
  checkPrompt,
];

const forwardedParameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'state',
];

export function createAuthorizeEndpoint({ options, facts, library, cookies }: ServerParts): Endpoint {
  return async ({ request, response }) => {
    const asked: ParsedAuthorization = { parameters: await readParameters(request), client: null };
    for (const check of redirectChecks) await check(asked, facts);
    try {
      for (const check of requestChecks) await check(asked, facts);
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
  for (const name of forwardedParameters) {
    const value = values.get(name);
    if (value !== undefined) query.set(name, value);
  }
  query.set('scope', values.get('scope') ?? defaultScopes.join(' '));
  // A person is asked in any case. Without `consent`, the library would drop `offline_access`.
  return query.set('prompt', 'consent');
}

/** The redirect URI with the error, the client's state and the issuer (RFC 9207). */
function refusalLocation(
  { parameters: { values, repeated } }: ParsedAuthorization,
  { failure, issuer }: { failure: AppError; issuer: string },
): string {
  const { error, error_description } = toWireError(failure);
  const state = repeated.has('state') ? undefined : values.get('state');
  const answer = { error, error_description, ...(state === undefined ? {} : { state }), iss: issuer };
  return appendAnswer(values.get('redirect_uri') ?? '', Object.entries(answer));
}

/** Appends an answer to a redirect URI. The registered query is retained (RFC 6749 §3.1.2). */
function appendAnswer(address: string, answer: [name: string, value: string][]): string {
  return `${address}${address.includes('?') ? '&' : '?'}${String(new URLSearchParams(answer))}`;
}

function retainQuery(location: string, address: unknown): string {
  const sent = URL.parse(location);
  const own = typeof address === 'string' ? URL.parse(address) : null;
  if (sent === null || own === null || typeof address !== 'string') return location;
  if (sent.origin !== own.origin || sent.pathname !== own.pathname) return location;
  const added = [...sent.searchParams].filter(([name, value]) => !own.searchParams.has(name, value));
  return appendAnswer(address, added);
}

export function createResumeEndpoint({ options, library, cookies }: ServerParts): Endpoint {
  return async ({ request, response, path }) => {
    const id = path.slice(paths.authorize.length + 1);
    if (cookies.valueOf(request, cookieNames(options.issuer).resume) !== id) {
      throw new AppError('oauth_interaction_unknown');
    }
    const { run, provider } = await library();
    // Loaded first, because the library forgets the interaction when it answers.
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

export function createInteractionEndpoint(parts: ServerParts): Endpoint {
  return async (exchange) => {
    const id = exchange.path.split('/')[2] ?? '';
    const path = `${paths.interaction}/${id}`;
    const interaction = await findInteraction(parts, exchange);
    if (interaction?.uid !== id) throw new AppError('oauth_interaction_unknown');
    const resume = new URL(interaction.returnTo).pathname;
    // If a form is sent twice, only the first answer counts.
    if (interaction.result !== undefined) {
      sendRedirect(exchange.response, { location: resume });
      return;
    }
    const { request, response } = exchange;
    await parts.options.interaction.handle(await toAuthorizationRequest(parts, interaction), {
      request,
      response,
      path,
      subpath: exchange.path.slice(path.length),
      async finish(result) {
        await finish(parts, { exchange, interaction, result });
        sendRedirect(response, { location: resume });
      },
    });
  };
}

async function findInteraction(
  { library, cookies }: ServerParts,
  { request }: OAuthExchange,
): Promise<Interaction | null> {
  const { pair, findInteraction: find } = await library();
  const asked = pair(cookies.incoming(request));
  return find(asked.request, asked.response);
}

async function toAuthorizationRequest(
  { clients, facts }: ServerParts,
  { uid, params, exp }: Interaction,
): Promise<AuthorizationRequest> {
  const client = await clients.find(String(params['client_id']));
  if (client === null) throw new AppError('oauth_interaction_unknown');
  return {
    id: uid,
    clientId: client.clientId,
    clientName: client.clientName,
    redirectUri: String(params['redirect_uri']),
    grantTypes: client.grantTypes,
    scopes: scopesOf(params),
    resource: facts.resource,
    expiresAtMs: exp * 1000,
  };
}

function scopesOf(params: Interaction['params']): string[] {
  const { scope } = params;
  return typeof scope === 'string' ? scope.split(' ') : [];
}

async function finish(
  { library, cookies, grants, options }: ServerParts,
  parts: { exchange: OAuthExchange; interaction: Interaction; result: InteractionResult },
): Promise<void> {
  const { exchange, interaction, result } = parts;
  const { provider, pair } = await library();
  await provider.Interaction.adapter.consume(interaction.uid);
  const { request, response } = pair(cookies.incoming(exchange.request));
  const asked = scopesOf(interaction.params);
  const scopes = result.kind === 'granted' ? asked.filter((scope) => result.scopes.includes(scope)) : [];
  if (result.kind === 'denied' || scopes.length === 0 || !options.isActive(result.subject)) {
    const refusal = { error: 'access_denied', error_description: 'The person did not agree.' };
    await provider.interactionResult(request, response, refusal, { mergeWithLastSubmission: false });
    return;
  }
  const { subject } = result;
  const grantId = await grants.save({ subject, clientId: String(interaction.params['client_id']), scopes });
  options.onGranted?.({ subject, grantId });
  await provider.interactionResult(
    request,
    response,
    { login: { accountId: subject, remember: false }, consent: { grantId } },
    { mergeWithLastSubmission: false },
  );
}
