import { generateKeyPairSync } from 'node:crypto';
import Provider, {
  type Adapter,
  type AdapterFactory,
  type AdapterPayload,
  type Configuration,
  type JWK,
  errors,
  interactionPolicy,
} from 'oidc-provider';
import { type TokenLifetimes, paths } from '../authorization-server.ts';
import { knownClientMetadata, hashId, isExpired } from '../tokens/grants.ts';
import {
  type Library,
  type LibraryOptions,
  cookieNames,
  createLibraryExchange,
  type AdapterParts,
} from './exchange.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createMemoryRows } from '#core/store/oauth-rows.ts';
import { AppError } from '#shared/errors/index.ts';

/** Configures oidc-provider. Loaded on demand, because it is a quarter of the core's code. */
export function openLibrary({ onEnded, ...options }: LibraryOptions): Library {
  const adapter = createAdapterFactory(options);
  const provider = createProvider({ ...options, adapter });
  provider.on('grant.revoked', (_ctx, grantId) => onEnded(grantId));
  return {
    provider,
    clients: adapter('Client'),
    ...createLibraryExchange(provider),
    async findInteraction(request, response) {
      try {
        return await provider.interactionDetails(request, response);
      } catch (failure) {
        if (failure instanceof errors.SessionNotFound) return null;
        throw failure;
      }
    },
  };
}

/** Ten years: the row of the grant contains the actual expiry, which every refresh extends. */
const grantSeconds = 10 * 366 * 24 * 60 * 60;

/** oidc-provider as a plain OAuth 2.1 server: public clients, code with S256, opaque tokens for one resource. */
function createProvider({
  options,
  lifetimes,
  adapter,
}: Omit<LibraryOptions, 'onEnded'> & { adapter: AdapterFactory }): Provider {
  const { issuer, isActive } = options;
  return new Provider(issuer, {
    adapter,
    clients: (options.knownClients ?? []).map(knownClientMetadata),
    ...protocol,
    jwks: { keys: [unusedKey()] },
    features: featuresFor(options),
    cookies: cookiesFor(options),
    routes: { authorization: paths.authorize, token: paths.token, revocation: paths.revoke },
    // All scopes belong to the resource. OpenID scopes are not supported.
    scopes: [],
    ttl: ttlFor(lifetimes),
    interactions: {
      policy: [createConsentPrompt()],
      url: (_ctx, { uid }) => `${paths.interaction}/${uid}`,
    },
    findAccount: (_ctx, subject) =>
      isActive(subject) ? { accountId: subject, claims: () => ({ sub: subject }) } : undefined,
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : await oidc.provider.Grant.find(grantId);
    },
  });
}

const protocol: Configuration = {
  clientDefaults: { id_token_signed_response_alg: 'EdDSA', token_endpoint_auth_method: 'none' },
  clientAuthMethods: ['none'],
  responseTypes: ['code'],
  clockTolerance: 0,
  allowOmittingSingleRegisteredRedirectUri: false,
  pkce: { required: () => true },
  clientBasedCORS: () => false,
  expiresWithSession: () => false,
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  revokeGrantPolicy: () => true,
  renderError: (ctx, out) => {
    ctx.body = out;
  },
};

/** The library does not start without a key, although nothing is ever signed. Its default key would cause a warning. */
function unusedKey(): JWK {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
}

function featuresFor({ resource, scopes }: LibraryOptions['options']): Configuration['features'] {
  const scope = scopes.map(({ name }) => name).join(' ');
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    userinfo: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => {
        throw new errors.InvalidTarget();
      },
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, asked) => {
        if (asked !== resource) throw new errors.InvalidTarget();
        return { scope, audience: resource, accessTokenFormat: 'opaque' };
      },
    },
  };
}

/** The library's cookies are valid only in the process that signed them. */
function cookiesFor({ issuer, ids }: LibraryOptions['options']): Configuration['cookies'] {
  const { protocol: scheme } = new URL(issuer);
  const flags = { httpOnly: true, sameSite: 'lax', signed: true, secure: scheme === 'https:' } as const;
  return {
    names: cookieNames(issuer),
    keys: [ids.secret()],
    long: flags,
    short: flags,
  };
}

function ttlFor(lifetimes: TokenLifetimes): Configuration['ttl'] {
  return {
    AccessToken: lifetimes.accessTokenSeconds,
    AuthorizationCode: lifetimes.codeSeconds,
    RefreshToken: lifetimes.refreshTokenIdleSeconds,
    Interaction: lifetimes.interactionSeconds,
    Session: lifetimes.interactionSeconds,
    Grant: grantSeconds,
  };
}

function createConsentPrompt(): interactionPolicy.Prompt {
  const { Check, Prompt } = interactionPolicy;
  return new Prompt(
    { name: 'consent', requestable: true },
    new Check('not_asked', 'A person has to agree', ({ oidc }) => oidc.result?.consent === undefined),
  );
}

const maxInteractions = 500;

const pruneEveryMs = 60_000;

/** How long a grant is kept after its latest refresh: the longer lifetime of its two tokens. */
function grantLifetimeMs({ refreshTokenIdleSeconds, accessTokenSeconds }: TokenLifetimes): number {
  return Math.max(refreshTokenIdleSeconds, accessTokenSeconds) * 1000;
}

/**
 * Interactions stay in memory, because anyone can begin them. Browser
 * sessions are not kept, because every authorization asks a person.
 */
function createAdapterFactory(parts: AdapterParts): AdapterFactory {
  const { rows, clock } = parts;
  const consumptions = createConsumptions(clock);
  const interactions = createMemoryRows();
  let prunedAtMs = 0;
  const pruneIfDue = (): void => {
    interactions.keepNewest('Interaction', maxInteractions);
    if (Math.abs(clock.nowMs() - prunedAtMs) < pruneEveryMs) return;
    prunedAtMs = clock.nowMs();
    interactions.prune(prunedAtMs);
    rows.prune(prunedAtMs);
  };
  return (model) => {
    if (model === 'Session') return emptyAdapter;
    const adapter = createAdapter(model, {
      ...parts,
      consumptions,
      rows: model === 'Interaction' ? interactions : rows,
    });
    return {
      ...adapter,
      async upsert(...args) {
        await adapter.upsert(...args);
        pruneIfDue();
      },
    };
  };
}

interface ModelParts extends AdapterParts {
  consumptions: ReturnType<typeof createConsumptions>;
}

function createAdapter(
  model: string,
  { rows, lifetimes, clock, endGrant, consumptions }: ModelParts,
): Adapter {
  const renewGrant = (grantId: string): void =>
    rows.renew('Grant', hashId(grantId), clock.nowMs() + grantLifetimeMs(lifetimes));
  const expiryOf = (expiresInSeconds: number | undefined): number | null => {
    if (model === 'Grant') return clock.nowMs() + grantLifetimeMs(lifetimes);
    return expiresInSeconds === undefined ? null : clock.nowMs() + expiresInSeconds * 1000;
  };
  /** During the grace period a rotated refresh token seems unused, so that losing a race does not end the family. */
  const isInGrace = (id: string, consumedAtMs: number): boolean => {
    if (model !== 'RefreshToken') return false;
    const graceMs = lifetimes.rotationGraceSeconds * 1000;
    const wallElapsedMs = clock.nowMs() - consumedAtMs;
    const passedMs = consumptions.passedMs(hashId(id));
    // Setting the clock back must not extend the grace period, neither in this process nor after a restart.
    return passedMs === null
      ? wallElapsedMs >= 0 && wallElapsedMs < graceMs
      : Math.max(wallElapsedMs, passedMs) < graceMs;
  };
  return {
    async upsert(id, payload, expiresIn) {
      const grantId = payload.grantId ?? null;
      rows.upsert({
        model,
        idHash: hashId(id),
        payload: withoutId(payload),
        grantId,
        expiresAtMs: expiryOf(expiresIn),
      });
      if (model === 'RefreshToken' && grantId !== null) renewGrant(grantId);
    },
    async find(id) {
      const row = rows.find(model, hashId(id));
      if (row === null || isExpired(row, clock)) return undefined;
      const payload = withId(model, id, row.payload);
      const { consumedAtMs } = row;
      // A client is marked as consumed by its first token. The library must not see that mark.
      if (consumedAtMs === null || model === 'Client' || isInGrace(id, consumedAtMs)) return payload;
      return { ...payload, consumed: Math.floor(consumedAtMs / 1000) };
    },
    async consume(id) {
      if (rows.consume(model, hashId(id), clock.nowMs())) return consumptions.add(hashId(id));
      if (model === 'Interaction') throw new AppError('oauth_interaction_unknown');
      // A second concurrent use of a code is a replay and ends the
      // grant. A second use of a refresh token is a lost race.
      const grantId = rows.find(model, hashId(id))?.grantId ?? null;
      if (model === 'AuthorizationCode' && grantId !== null) endGrant(grantId);
      throw new errors.InvalidGrant('used already');
    },
    destroy: async (id) => rows.remove(model, hashId(id)),
    revokeByGrantId: async (grantId) => rows.removeByGrant(grantId),
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}

const maxConsumptions = 1_000;

function createConsumptions(clock: Clock) {
  const consumedAtByHash = new Map<string, number>();
  return {
    add(idHash: string): void {
      consumedAtByHash.set(idHash, clock.monotonicMs());
      const [oldest] = consumedAtByHash.keys();
      if (consumedAtByHash.size > maxConsumptions && oldest !== undefined) consumedAtByHash.delete(oldest);
    },
    passedMs(idHash: string): number | null {
      const known = consumedAtByHash.get(idHash);
      return known === undefined ? null : clock.monotonicMs() - known;
    },
  };
}

const emptyAdapter: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
};

/** Removes the id, which may be a token: `client_id` of a client, `jti` of all other models. */
function withoutId({ jti: _jti, client_id: _clientId, ...rest }: AdapterPayload): string {
  return JSON.stringify(rest);
}

function withId(model: string, id: string, payload: string): AdapterPayload {
  const rest = JSON.parse(payload) as AdapterPayload;
  return model === 'Client' ? { ...rest, client_id: id } : { ...rest, jti: id };
}
