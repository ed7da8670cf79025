import { createEventBus } from '#core/platform/event-bus.ts';
import {
  type AccessGrant,
  type AuthorizationServer,
  type AuthorizationServerOptions,
  type OAuthQuotas,
  resourceMetadataPath,
  type TokenLifetimes,
  type InteractionStrategy,
  paths,
} from './authorization-server.ts';
import {
  type ServerFacts,
  rejectEmbedded,
  createQuota,
  type Endpoint,
  type OAuthExchange,
  type ServerParts,
} from './checks.ts';
import { type CachedToken, createClients, createGrants, hashId, createTokenCache } from './tokens/grants.ts';
import { createCookieFilter, sendError, sendErrorPage, toWireError, sendJson } from './http.ts';
import { cookieNames, type Library, type OpenLibrary } from './library/exchange.ts';
import { createRefreshRepeats } from './tokens/refresh-repeats.ts';
import { AppError } from '#shared/errors/index.ts';
import type { LoopbackHandler } from '#core/platform/loopback/listener.ts';
import type { Logger } from '#core/platform/logger.ts';
import {
  createAuthorizeEndpoint,
  createInteractionEndpoint,
  createResumeEndpoint,
} from './endpoints/authorize.ts';
import { createRegisterEndpoint } from './endpoints/register.ts';
import { createRevokeEndpoint, createTokenEndpoint } from './endpoints/token.ts';

const defaultLifetimes: TokenLifetimes = {
  accessTokenSeconds: 10 * 60,
  codeSeconds: 60,
  refreshTokenIdleSeconds: 30 * 24 * 60 * 60,
  interactionSeconds: 10 * 60,
  rotationGraceSeconds: 10,
};

const defaultQuotas: OAuthQuotas = { tokenRequestsPerMinute: 120, registrationsPerMinute: 60 };

export const loadAuthorizationServer = () => import('./library/provider.ts');

export async function createAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  const { clock, logger, resource, issuer } = options;
  const tokens = createTokenCache<CachedToken>(options.rows);
  const { rows } = tokens;
  const { refreshRepeats } = options;
  const lifetimes = {
    ...defaultLifetimes,
    ...options.lifetimes,
    // Without a grace period: a reused token is either a repeated refresh, which is answered, or a theft.
    ...(refreshRepeats === undefined ? {} : { rotationGraceSeconds: 0 }),
  };
  const quotas = { ...defaultQuotas, ...options.quotas };
  const ended = createEventBus<string>(logger);
  const endGrant = (grantId: string): void => {
    rows.remove('Grant', hashId(grantId));
    rows.removeByGrant(grantId);
    ended.emit(grantId);
  };

  const onEnded = (grantId: string): void => ended.emit(grantId);
  let opening: Promise<Library> | null = null;
  const library: OpenLibrary = () =>
    (opening ??= loadAuthorizationServer().then(({ openLibrary }) =>
      openLibrary({ options, lifetimes, rows, clock, endGrant, onEnded }),
    ));
  const clients = createClients({ library, rows, clock, max: maxClientsOf(options) });
  const grants = createGrants({ options, library, clients, tokens, clock });
  const ifActive = (grant: AccessGrant) => (options.isActive(grant.subject) ? grant : null);
  const repeats =
    refreshRepeats === undefined
      ? null
      : createRefreshRepeats({
          ...refreshRepeats,
          rows,
          authenticate: (token) => grants.authenticate(token, ifActive),
          clock,
        });
  const names = cookieNames(issuer);
  const routes = createRoutes(
    {
      options,
      facts: factsOf(options, (clientId) => clients.find(clientId)),
      library,
      cookies: createCookieFilter([names.interaction, names.resume]),
      clients,
      grants,
      repeats,
      tokenQuota: createQuota(quotas.tokenRequestsPerMinute, clock),
      registrationQuota: createQuota(quotas.registrationsPerMinute, clock),
    },
    logger,
  );
  return {
    ...routes,
    authenticate: async (token, find) => grants.authenticate(token, find),
    issueGrant: (asked) => grants.issue(asked),
    revokeGrant: async (grantId) => endGrant(grantId),
    onRevoked: (listener) => ended.subscribe(listener),
    resourceMetadataUrl: `${issuer}${resourceMetadataPath(resource)}`,
    dispose: async () => repeats?.dispose(),
  };
}

/** Without registration, only the server's own clients are stored. */
const maxOwnClients = 100;

function maxClientsOf({ registration }: AuthorizationServerOptions): number {
  return registration.kind === 'open' ? registration.maxClients : maxOwnClients;
}

function factsOf(
  { resource, scopes, registration }: AuthorizationServerOptions,
  findClient: ServerFacts['findClient'],
): ServerFacts {
  return {
    resource,
    scopes: scopes.map(({ name }) => name),
    defaultScopes: scopes.filter(({ isDefault }) => isDefault).map(({ name }) => name),
    nativeApps: registration.kind === 'open' && registration.nativeApps === true,
    findClient,
  };
}

interface Route {
  path: string | RegExp;
  methods: readonly string[];
  endpoint: Endpoint;
  /** `page`: a browser shows the errors, so only a top-level window may open the address. */
  errorFormat: 'page' | 'json';
}

function routesOf(parts: ServerParts): readonly Route[] {
  const { options } = parts;
  const read = ['GET', 'HEAD'];
  const getOrPost = ['GET', 'POST'];
  const route = (
    path: Route['path'],
    methods: Route['methods'],
    endpoint: Endpoint,
    errorFormat: Route['errorFormat'],
  ): Route => ({ path, methods, endpoint, errorFormat });
  return [
    route(resourceMetadataPath(options.resource), read, createResourceMetadata(options), 'json'),
    route(paths.serverMetadata, read, createServerMetadata(options), 'json'),
    route(paths.authorize, getOrPost, createAuthorizeEndpoint(parts), 'page'),
    route(/^\/authorize\/[\w-]{1,64}$/, ['GET'], createResumeEndpoint(parts), 'page'),
    route(/^\/interaction\/[\w-]{1,64}(?:\/[\w/-]*)?$/, getOrPost, createInteractionEndpoint(parts), 'page'),
    route(paths.token, ['POST'], createTokenEndpoint(parts), 'json'),
    route(paths.register, ['POST'], createRegisterEndpoint(parts), 'json'),
    route(paths.revoke, ['POST'], createRevokeEndpoint(parts), 'json'),
  ];
}

function createRoutes(
  parts: ServerParts,
  logger: Logger,
): { answers(path: string): boolean; handle: LoopbackHandler } {
  const routes = routesOf(parts);
  const find = (path: string) =>
    routes.find((route) => (typeof route.path === 'string' ? route.path === path : route.path.test(path)));
  const tools = { logger, interaction: parts.options.interaction };
  return {
    answers: (path) => find(path) !== undefined,
    handle(request, response) {
      const [path = ''] = (request.url ?? '').split('?', 1);
      void answer(find(path), { request, response, path }, tools);
    },
  };
}

interface RefusalTools {
  logger: Logger;
  interaction: InteractionStrategy;
}

async function answer(route: Route | undefined, exchange: OAuthExchange, tools: RefusalTools): Promise<void> {
  try {
    if (route === undefined) throw new AppError('not_found');
    if (!route.methods.includes(exchange.request.method ?? '')) {
      exchange.response.setHeader('allow', route.methods.join(', '));
      throw new AppError('method_not_allowed');
    }
    if (route.errorFormat === 'page') rejectEmbedded(exchange.request);
    await route.endpoint(exchange);
  } catch (failure) {
    refuse(failure, { route, exchange, ...tools });
  }
}

function refuse(
  failure: unknown,
  {
    route,
    exchange,
    logger,
    interaction,
  }: RefusalTools & { route: Route | undefined; exchange: OAuthExchange },
): void {
  const wire = toWireError(failure);
  const { request, response } = exchange;
  // The path may contain the secret of an interaction, so it is not logged.
  const method = request.method ?? '';
  if (wire.status >= 500) logger.error({ err: failure, method }, 'The authorization server failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // A 401 would make the browser ask for a password.
  if (route?.errorFormat === 'page')
    sendErrorPage(exchange, { ...wire, status: wire.status === 401 ? 400 : wire.status }, interaction);
  else sendError(exchange, wire);
}

/** Protected resource metadata (RFC 9728 §3.2). */
function createResourceMetadata({ resource, issuer, scopes }: AuthorizationServerOptions): Endpoint {
  const metadata = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes.filter(({ ofResource }) => ofResource).map(({ name }) => name),
    bearer_methods_supported: ['header'],
  };
  return async (exchange) => sendJson(exchange, 200, metadata);
}

/** Authorization server metadata (RFC 8414 §3.2), built from the issuer and never from a request. */
function createServerMetadata({ issuer, scopes, registration }: AuthorizationServerOptions): Endpoint {
  const isOpen = registration.kind === 'open';
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}${paths.authorize}`,
    token_endpoint: `${issuer}${paths.token}`,
    ...(isOpen ? { registration_endpoint: `${issuer}${paths.register}` } : {}),
    revocation_endpoint: `${issuer}${paths.revoke}`,
    scopes_supported: scopes.map(({ name }) => name),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
  return async (exchange) => sendJson(exchange, 200, metadata);
}
