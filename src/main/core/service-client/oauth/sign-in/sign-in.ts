import { generateRandomState, type AuthorizationServer, None, revocationRequest } from 'oauth4webapi';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { extraScopes, type RevocationView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type Authorization, prepareAuthorization, registerClient } from './authorization.ts';
import {
  awaitCallback,
  type AwaitProgress,
  openSignInListener,
  type Callback,
  type CallbackPage,
} from './callback.ts';
import { readChallenge } from '../../answers.ts';
import { discover, type Discovery } from '../discovery.ts';
import {
  createGuardedFetch,
  createUrlPolicy,
  type GuardedFetchOptions,
  serverRequests,
  type ServerRequests,
  isClientUnknown,
} from '../oauth-requests.ts';
import type { Grant, GrantStore, RegisteredClient, StoredGrant } from '../grants.ts';
import { grantTokens } from '../tokens.ts';

interface SignInOptions {
  mcpUrl: string;
  store: Pick<GrantStore, 'load' | 'save' | 'client' | 'saveClient' | 'forgetClient'>;
  /** Selected `extraScopes`. `svc:read` and the resource's other scopes are always requested. */
  scopes: readonly string[];
  /**
   * Called when the listener is ready, and a second time only if the server does not know the client. Resolves with true if a
   * browser opened.
   */
  open(address: string): Promise<boolean>;
  /** Finds the account before the grant is stored. If it fails, the new grant is revoked and the previous one is kept. */
  identify?(accessToken: string): Promise<string | null>;
  onProgress?(progress: SignInProgress): void;
  signal: AbortSignal;
  timeoutMs: number;
  requestTimeoutMs?: number;
  clock: Clock;
  logger: Logger;
}

export type SignInProgress = AwaitProgress | { kind: 'finishing' };

/** Requested in every sign-in (contract §5.3). */
const readScope = 'svc:read';

/** Scopes that allow changes are requested only if the person selected them, whatever the resource announces. */
const onlyByPerson: ReadonlySet<string> = new Set(extraScopes);

/**
 * One sign-in in the system's browser (contract §5.3, RFC 8252). Stores the grant before it resolves, and revokes the replaced
 * grant. Fails with `discovery_failed`, `address_refused`, `registration_failed`, `sign_in_cancelled`, `sign_in_timed_out`,
 * `sign_in_refused`, `sign_in_mismatch` or `token_refused`, or as a request or `identify` does. Nothing stays open.
 */
export async function signIn(options: SignInOptions): Promise<Grant> {
  try {
    return await runSignIn(options);
  } catch (failure) {
    throw options.signal.aborted ? new AppError('sign_in_cancelled') : failure;
  }
}

async function runSignIn(options: SignInOptions): Promise<Grant> {
  const { mcpUrl, store, signal, requestTimeoutMs = 15_000 } = options;
  signal.throwIfAborted();
  const limits = { policy: createUrlPolicy({ mcpUrl }), timeoutMs: requestTimeoutMs, signal };
  const { resourceMetadataUrl, scopes } = await askResource(mcpUrl, limits);
  const found = await discover({ mcpUrl, ...limits, ...resourceMetadataUrl });
  const attempt = {
    ...options,
    scopes: [...options.scopes, ...scopes.filter((scope) => !onlyByPerson.has(scope))],
    found,
    requests: serverRequests(limits),
  };
  const stored = store.client();
  const known = stored?.issuer === found.server.issuer ? stored : null;
  try {
    return await attemptSignIn(attempt, known);
  } catch (failure) {
    const isReused = known !== null && store.client()?.clientId === known.clientId;
    if (!isReused || !isClientUnknown(failure)) throw failure;
    store.forgetClient();
    return attemptSignIn(attempt, null);
  }
}

interface Attempt extends SignInOptions {
  found: Discovery;
  requests: ServerRequests;
}

/**
 * Registers a client if none is known, or if the port of the known client is taken, because its redirect address contains the
 * port.
 */
async function attemptSignIn(attempt: Attempt, known: RegisteredClient | null): Promise<Grant> {
  const { found, store, requests, logger } = attempt;
  const { resource, server } = found;
  const state = generateRandomState();
  const { listener, client: reused } = await openSignInListener(state, known, logger);
  try {
    const client = reused ?? (await registerClient(server, listener.redirectUri, requests));
    if (reused === null) store.saveClient(client);
    const scopes = [...new Set([readScope, ...attempt.scopes])];
    const authorization = await prepareAuthorization({ server, client, resource, scopes, state });
    const callback = await awaitCallback(listener, authorization.address, attempt).catch(
      (failure: unknown) => {
        // A server that has forgotten the client reports this only on
        // its own page, to the person. The next sign-in registers again.
        if (reused !== null) store.forgetClient();
        throw failure;
      },
    );
    attempt.onProgress?.({ kind: 'finishing' });
    return await finishSignIn({ ...attempt, authorization, callback, client, resource, scopes });
  } finally {
    await listener.dispose();
  }
}

interface FinishOptions extends Attempt {
  authorization: Authorization;
  callback: Callback;
  client: RegisteredClient;
  resource: string;
}

/**
 * Stores the grant before the browser shows success, so that success is certain. Revokes the grant that is not kept: the
 * previous one, or a new one that was refused.
 */
async function finishSignIn(options: FinishOptions): Promise<Grant> {
  const { callback, store, signal } = options;
  const toServer = { ...options, server: options.found.server };
  let page: CallbackPage = 'failed';
  try {
    const redeemed = await redeem(options);
    const grant = await identified(redeemed, options).catch(async (failure: unknown) => {
      await revokeReplaced(redeemed, store.load(), toServer);
      throw failure;
    });
    // The sign-in may have been cancelled while the answer was read.
    signal.throwIfAborted();
    const before = store.load();
    store.save(grant);
    page = 'signed-in';
    await callback.show(page);
    if (before.kind === 'held') await revokeReplaced(before.grant, { kind: 'held', grant }, toServer);
    return grant;
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'sign_in_refused') page = 'refused';
    throw failure;
  } finally {
    await callback.show(page);
  }
}

async function identified(grant: Grant, { identify }: Pick<SignInOptions, 'identify'>): Promise<Grant> {
  return { ...grant, account: (await identify?.(grant.accessToken)) ?? null };
}

async function redeem({ authorization, callback, requests, clock, ...asked }: FinishOptions): Promise<Grant> {
  const answer = authorization.check(callback.parameters);
  const nowMs = clock.nowMs();
  const outcome = await authorization.exchange(answer, requests);
  if (outcome.kind !== 'granted') throw outcome.failure;
  const { client, resource, scopes } = asked;
  return {
    issuer: client.issuer,
    clientId: client.clientId,
    resource,
    account: null,
    signedInAtMs: nowMs,
    ...grantTokens(outcome.tokens, { scopes, nowMs }),
  };
}

interface SignOutOptions {
  mcpUrl: string;
  store: GrantStore;
  timeoutMs: number;
  logger: Logger;
}

/**
 * Deletes grant and client at once and in any case, then revokes both tokens
 * at the service (RFC 7009). A failing service does not make it fail.
 */
export async function signOut({ mcpUrl, store, timeoutMs, logger }: SignOutOptions): Promise<RevocationView> {
  const held = store.load();
  store.forget();
  if (held.kind !== 'held') return held.kind;
  try {
    return await revokeGrant(held.grant, { mcpUrl, timeoutMs });
  } catch (failure) {
    logger.warn({ because: failureName(failure) }, 'The service did not confirm a sign-out');
    return 'unconfirmed';
  }
}

async function revokeGrant(
  grant: Grant,
  { mcpUrl, timeoutMs }: { mcpUrl: string; timeoutMs: number },
): Promise<RevocationView> {
  const signal = AbortSignal.timeout(timeoutMs);
  const limits = { policy: createUrlPolicy({ mcpUrl }), timeoutMs, signal };
  const { server } = await discover({ mcpUrl, ...limits });
  // Tokens are sent only to the server that issued them.
  if (server.issuer !== grant.issuer) return 'other-server';
  if (server.revocation_endpoint === undefined) return 'not-offered';
  const revoke = (token: string, hint: 'refresh_token' | 'access_token'): Promise<boolean> =>
    revokeToken(server, { clientId: grant.clientId, token, hint }, serverRequests(limits));
  const isRefreshRevoked =
    grant.refreshToken === null || (await revoke(grant.refreshToken, 'refresh_token').catch(() => false));
  const isAccessRevoked = await revoke(grant.accessToken, 'access_token');
  return isAccessRevoked && isRefreshRevoked ? 'revoked' : 'unconfirmed';
}

interface Revocation {
  clientId: string;
  token: string;
  hint: 'refresh_token' | 'access_token';
}

/** Resolves with true if the server confirmed (RFC 7009 §2.1). Revoking an unknown token also counts as confirmed (RFC 7009 §2.2). */
async function revokeToken(
  server: AuthorizationServer,
  { clientId, token, hint }: Revocation,
  requests: ServerRequests,
): Promise<boolean> {
  const asked = { ...requests, additionalParameters: { token_type_hint: hint } };
  return (await revocationRequest(server, { client_id: clientId }, None(), token, asked)).status === 200;
}

interface GiveBackOptions {
  server: AuthorizationServer;
  requests: ServerRequests;
  logger: Logger;
}

/** Revokes a grant with one request, unless the kept grant shares its token. Never fails. */
async function revokeReplaced(
  { issuer, clientId, refreshToken, accessToken }: Grant,
  staying: StoredGrant,
  { server, requests, logger }: GiveBackOptions,
): Promise<void> {
  if (issuer !== server.issuer || server.revocation_endpoint === undefined) return;
  const token = refreshToken ?? accessToken;
  const kept = staying.kind === 'held' ? [staying.grant.refreshToken, staying.grant.accessToken] : [];
  if (kept.includes(token)) return;
  const hint = refreshToken === null ? 'access_token' : 'refresh_token';
  try {
    await revokeToken(server, { clientId, token, hint }, requests);
  } catch (failure) {
    logger.info({ because: failureName(failure) }, 'A sign-in that is not used could not be given back');
  }
}

/** Only the failure's name, because its message may contain secrets of the request. */
function failureName(failure: unknown): string {
  if (!(failure instanceof Error)) return 'unknown';
  return 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name;
}

export interface ResourceChallenge {
  resourceMetadataUrl: { resourceMetadataUrl?: string };
  scopes: readonly string[];
}

const question = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/list', params: {} });

/**
 * Sends a request without a token. The 401 may contain the address of the resource's metadata and the needed
 * scopes (RFC 9728 §5.1, MCP 2025-11-25, Scope Selection Strategy). Fails with `service_unreachable`.
 */
export async function askResource(mcpUrl: string, options: GuardedFetchOptions): Promise<ResourceChallenge> {
  const answer = await createGuardedFetch(options)(`${mcpUrl}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: question,
  });
  if (answer.status !== 401) return { resourceMetadataUrl: {}, scopes: [] };
  const { resourceMetadata, scope } = readChallenge(answer.headers);
  return {
    resourceMetadataUrl: resourceMetadata === null ? {} : { resourceMetadataUrl: resourceMetadata },
    scopes: scope?.split(' ') ?? [],
  };
}
