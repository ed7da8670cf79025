import { z } from 'zod';
import { AppError } from '#shared/errors/index.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';

/** A public client that an authorization server registered for one redirect URI (RFC 7591). */
export interface RegisteredClient {
  issuer: string;
  clientId: string;
  /** `http://127.0.0.1:PORT/…`, used again byte for byte. */
  redirectUri: string;
}

/** The tokens and scopes of a sign-in and of every refresh after it. */
export interface Grant {
  issuer: string;
  clientId: string;
  /** `{mcp_url}/mcp` (RFC 8707). */
  resource: string;
  accessToken: string;
  refreshToken: string | null;
  scopes: readonly string[];
  /** The owner that the service named for it, as text; null where the service names none. A refresh does not change it. */
  account: string | null;
  expiresAtMs: number | null;
  /** When a person signed in; a refresh does not change it. */
  signedInAtMs: number;
}

/** The access token for the remote tools: read for every request, never stored by the caller. */
export interface RemoteAccess {
  /** The token of now; renewed first where its time is up. Fails with `sign_in_needed`, or as the renewal does. */
  token(): Promise<string>;
  /** The service refused this token with 401: another one, once. Fails with `sign_in_needed`, or as the renewal does. */
  renew(refused: string): Promise<string>;
}

/** The stored state of a grant. `ended`: the result of a refresh is unknown, or the service ended the grant; only a new sign-in helps. */
export type HeldGrant = { kind: 'none' | 'other-key' | 'ended' } | { kind: 'held'; grant: Grant };

/** Where a grant and its client are kept; every method is one synchronous step that lasts when it returns. */
export interface GrantStore {
  /**
   * The refresh that is under way in this process, set by the access; null if there is none. A lease without it is what
   * a crash left.
   */
  underWay: Promise<Grant> | null;
  load(): HeldGrant;
  /** Keeps what the token endpoint gave, before its first use; ends the lease. */
  save(grant: Grant): void;
  /** Written before a refresh token leaves; from here on it is never used a second time. */
  lease(): void;
  /** The refresh token certainly did not reach the server, or was certainly not used. */
  release(): void;
  /** The grant has ended: forgets its tokens, and remembers that it ended. */
  end(): void;
  forget(): void;
  client(): RegisteredClient | null;
  saveClient(client: RegisteredClient): void;
  forgetClient(): void;
}

export function heldGrant(store: Pick<GrantStore, 'load'>, mcpUrl: string): Grant {
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
} as const satisfies Record<Exclude<HeldGrant['kind'], 'held'>, string>;

/** False after a sign-out or a new sign-in: results of this grant are then ignored. */
export function isCurrent(store: Pick<GrantStore, 'load'>, grant: Grant): boolean {
  const held = store.load();
  return (
    held.kind === 'held' &&
    held.grant.accessToken === grant.accessToken &&
    held.grant.refreshToken === grant.refreshToken
  );
}

const grantSchema = z.strictObject({
  issuer: z.string(),
  clientId: z.string(),
  resource: z.string(),
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1).nullable(),
  scopes: z.array(z.string()),
  account: z.string().nullable(),
  expiresAtMs: z.number().nullable(),
  signedInAtMs: z.number(),
});

const clientSchema = z.strictObject({
  issuer: z.string(),
  clientId: z.string().min(1),
  redirectUri: z.string(),
});

export function writeGrant(grant: Grant | null): string {
  return JSON.stringify(grant ?? { ended: true });
}

/** The reverse of {@link writeGrant}. A text that is no grant is one that has ended: only a new sign-in helps. */
export function readGrant(text: string): Grant | null {
  return grantSchema.safeParse(jsonOrNull(text)).data ?? null;
}

export function writeClient(client: RegisteredClient): string {
  return JSON.stringify(client);
}

/** The reverse of {@link writeClient}; null for any other text: then Countersign registers anew. */
export function readClient(text: string): RegisteredClient | null {
  return clientSchema.safeParse(jsonOrNull(text)).data ?? null;
}

/** A grant for this run only: for the doctor in a terminal. What is kept here is gone with the process. */
export function createMemoryGrants(): GrantStore {
  let grant: Grant | 'none' | 'ended' = 'none';
  let leased = false;
  let client: RegisteredClient | null = null;

  const grants: GrantStore = {
    underWay: null,
    load() {
      if (leased && grants.underWay === null) return { kind: 'ended' };
      return typeof grant === 'string' ? { kind: grant } : { kind: 'held', grant };
    },
    save(given) {
      grant = given;
      leased = false;
    },
    lease() {
      if (leased) throw new Error('A refresh has the lease already');
      leased = true;
    },
    release() {
      leased = false;
    },
    end() {
      grant = 'ended';
      leased = false;
    },
    forget() {
      grant = 'none';
      client = null;
      leased = false;
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
