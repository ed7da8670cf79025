import { z } from 'zod';
import { AppError } from '#shared/errors/index.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';

const clientSchema = z.strictObject({
  issuer: z.string(),
  clientId: z.string().min(1),
  /** `http://127.0.0.1:PORT/…`, reused byte for byte. */
  redirectUri: z.string(),
});

/** A public client that an authorization server registered for one redirect URI (RFC 7591). */
export type RegisteredClient = z.infer<typeof clientSchema>;

const grantSchema = z.strictObject({
  issuer: z.string(),
  clientId: z.string(),
  /** `{mcp_url}/mcp` (RFC 8707). */
  resource: z.string(),
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1).nullable(),
  scopes: z.array(z.string()).readonly(),
  /** The account that the service reported at the sign-in, or null. A refresh must keep it. */
  account: z.string().nullable(),
  expiresAtMs: z.number().nullable(),
  /** When a person signed in. A refresh must keep it. */
  signedInAtMs: z.number(),
});

export type Grant = z.infer<typeof grantSchema>;

/** The access token for the remote tools. Callers get it for each request and never store it. */
export interface RemoteAccess {
  /** The current token, renewed first if it expires soon. Fails with `sign_in_needed`, or as the renewal does. */
  token(): Promise<string>;
  /** Returns another token after the service refused `refused` with 401. Fails with `sign_in_needed`, or as the renewal does. */
  renew(refused: string): Promise<string>;
}

/**
 * The stored state of a grant. `ended`: the result of a refresh is
 * unknown, or the service ended the grant. Only a new sign-in helps.
 */
export type StoredGrant = { kind: 'none' | 'other-key' | 'ended' } | { kind: 'held'; grant: Grant };

/** Stores a grant and its client. Each method is synchronous and durable when it returns. */
export interface GrantStore {
  /**
   * The running refresh of this process, or null. Set by `createAccess`. A lease without a running refresh was left by a
   * crash.
   */
  runningRefresh: Promise<Grant> | null;
  load(): StoredGrant;
  /** Stores the result of the token endpoint before its first use, and ends the lease. */
  save(grant: Grant): void;
  /** Takes the lease before a refresh token is sent. Until `release`, the token is not resent. */
  lease(): void;
  /** Ends the lease, because the refresh token certainly did not reach the server or was not used. */
  release(): void;
  /** Deletes the tokens of a grant that ended, and remembers that it ended. */
  end(): void;
  forget(): void;
  client(): RegisteredClient | null;
  saveClient(client: RegisteredClient): void;
  forgetClient(): void;
}

export function requireGrant(store: Pick<GrantStore, 'load'>, mcpUrl: string): Grant {
  const held = store.load();
  if (held.kind !== 'held') throw new AppError('sign_in_needed', { message: reasons[held.kind] });
  if (held.grant.resource !== `${mcpUrl}/mcp`)
    throw new AppError('sign_in_needed', { message: reasons.none });
  return held.grant;
}

const reasons = {
  none: 'You are not signed in to this service.',
  ended: 'The sign-in has ended.',
  'other-key': 'The sign-in is kept under a key that cannot be opened now.',
} as const satisfies Record<Exclude<StoredGrant['kind'], 'held'>, string>;

/** False after a sign-out or a new sign-in. Results for the old grant are then ignored. */
export function isCurrent(store: Pick<GrantStore, 'load'>, grant: Grant): boolean {
  const held = store.load();
  return (
    held.kind === 'held' &&
    held.grant.accessToken === grant.accessToken &&
    held.grant.refreshToken === grant.refreshToken
  );
}

export function serializeGrant(grant: Grant | null): string {
  return JSON.stringify(grant ?? { ended: true });
}

/** Parses the text of {@link serializeGrant}. Null for any other text, which counts as an ended grant. */
export function parseGrant(text: string): Grant | null {
  return grantSchema.safeParse(jsonOrNull(text)).data ?? null;
}

export function serializeClient(client: RegisteredClient): string {
  return JSON.stringify(client);
}

/** Parses the text of {@link serializeClient}. Null for any other text, so that Countersign registers again. */
export function parseClient(text: string): RegisteredClient | null {
  return clientSchema.safeParse(jsonOrNull(text)).data ?? null;
}

/** A grant in memory, for the doctor in a terminal. It ends with the process. */
export function createMemoryGrants(): GrantStore {
  let grant: Grant | 'none' | 'ended' = 'none';
  let isLeased = false;
  let client: RegisteredClient | null = null;

  const grants: GrantStore = {
    runningRefresh: null,
    load() {
      if (isLeased && grants.runningRefresh === null) return { kind: 'ended' };
      return typeof grant === 'string' ? { kind: grant } : { kind: 'held', grant };
    },
    save(given) {
      grant = given;
      isLeased = false;
    },
    lease() {
      if (isLeased) throw new Error('A refresh has the lease already');
      isLeased = true;
    },
    release() {
      isLeased = false;
    },
    end() {
      grant = 'ended';
      isLeased = false;
    },
    forget() {
      grant = 'none';
      client = null;
      isLeased = false;
    },
    client: () => client,
    saveClient(given) {
      client = given;
    },
    forgetClient() {
      client = null;
    },
  };
  return grants;
}
