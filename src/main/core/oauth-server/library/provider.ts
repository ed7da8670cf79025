import { generateKeyPairSync } from 'node:crypto';
import Provider, {
  errors,
  interactionPolicy,
  type AdapterFactory,
  type Configuration,
  type JWK,
} from 'oidc-provider';
import { paths, type TokenLifetimes } from '../authorization-server.ts';
import { knownClientMetadata } from '../clients.ts';
import { createAdapterFactory } from './adapter.ts';
import { createLibraryExchange, cookieNames, type Library, type LibraryOptions } from './exchange.ts';

/** Sets oidc-provider up. Loaded on demand: with it comes a quarter of the core's code. */
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

/** Ten years: the row of a grant says when it ends, and moves on with every refresh. */
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
    // Every scope is one of the resource: the scopes of OpenID are not known here.
    scopes: [],
    ttl: ttlFor(lifetimes),
    interactions: {
      policy: [askAlways()],
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

/** The settings that are the same for every server. */
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

/** Nothing is ever signed here, but the library does not start without a key, and warns of its own. */
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

/** The library's cookies end with the process that signed them. */
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

/** One question for sign-in and consent together, asked every time. */
function askAlways(): interactionPolicy.Prompt {
  const { Check, Prompt } = interactionPolicy;
  return new Prompt(
    { name: 'consent', requestable: true },
    new Check('not_asked', 'A person has to agree', ({ oidc }) => oidc.result?.consent === undefined),
  );
}
