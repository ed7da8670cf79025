import { createEventBus } from '#core/platform/event-bus.ts';
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  type OAuthQuotas,
  resourceMetadataPath,
  type TokenLifetimes,
} from './authorization-server.ts';
import type { ServerFacts } from './checks/every-request.ts';
import { createClients } from './clients.ts';
import { createGrants, type LivingToken } from './tokens/grants.ts';
import { createCookieFilter } from './http/request.ts';
import { cookieNames, type Library, type OpenLibrary } from './library/library.ts';
import { createQuota } from './quota.ts';
import { createRefreshRepeats } from './tokens/refresh-repeats.ts';
import { hashOf, rememberTokens } from './tokens/stored-tokens.ts';
import { createRoutes } from './routes.ts';

const usualLifetimes: TokenLifetimes = {
  accessTokenSeconds: 10 * 60,
  codeSeconds: 60,
  refreshTokenIdleSeconds: 30 * 24 * 60 * 60,
  interactionSeconds: 10 * 60,
  rotationGraceSeconds: 10,
};

const usualQuotas: OAuthQuotas = { tokenRequestsPerMinute: 120, registrationsPerMinute: 60 };

/** Loads the modules of the library. */
export const loadAuthorizationServer = () => import('./library/provider.ts');

/** Makes the authorization server; nothing is listened to. */
export async function createAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  const { clock, logger, resource, issuer } = options;
  const tokens = rememberTokens<LivingToken>(options.rows);
  const { rows } = tokens;
  const { refreshRepeats } = options;
  const lifetimes = {
    ...usualLifetimes,
    ...options.lifetimes,
    // A token that is reused within that time is either a repeated refresh or a theft.
    ...(refreshRepeats === undefined ? {} : { rotationGraceSeconds: 0 }),
  };
  const quotas = { ...usualQuotas, ...options.quotas };
  const ended = createEventBus<string>(logger);
  const endGrant = (grantId: string): void => {
    rows.remove('Grant', hashOf(grantId));
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
  const authenticate = (token: string) => grants.authenticate(token);
  const repeats =
    refreshRepeats === undefined
      ? null
      : createRefreshRepeats({ ...refreshRepeats, rows, authenticate, clock });
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
    authenticate: async (token) => authenticate(token),
    issueGrant: (asked) => grants.issue(asked),
    revokeGrant: async (grantId) => endGrant(grantId),
    onRevoked: (listener) => ended.subscribe(listener),
    resourceMetadataUrl: `${issuer}${resourceMetadataPath(resource)}`,
    dispose: async () => repeats?.dispose(),
  };
}

/** Without registration, only the server's own clients are kept. */
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
