/** A public client that an authorization server registered for one redirect URI (RFC 7591). */
export interface RegisteredClient {
  issuer: string;
  clientId: string;
  /** `http://127.0.0.1:PORT/…`, used again byte for byte. */
  redirectUri: string;
}

/** What a sign-in gave, and every refresh after it. */
export interface Grant {
  issuer: string;
  clientId: string;
  /** `{mcp_url}/mcp` (RFC 8707). */
  resource: string;
  accessToken: string;
  /** Null where the server gave none: then a person signs in again when the access ends. */
  refreshToken: string | null;
  scopes: readonly string[];
  /** Null where the server did not say. */
  expiresAtMs: number | null;
  /** When a person signed in; a refresh does not change it. */
  signedInAtMs: number;
}

/** What is kept of a grant. `ended`: a refresh began and nobody knows how it ended, or the service ended the grant; only a new sign-in helps. */
export type HeldGrant = { kind: 'none' | 'other-key' | 'ended' } | { kind: 'held'; grant: Grant };

/** Where a grant and its client are kept; every method is one synchronous step that lasts when it returns. */
export interface GrantStore {
  /**
   * The refresh that is under way in this process, for everybody who needs its result; null where there is none. The access
   * sets it. A lease without it is what a crash left.
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
  /** Signs out: forgets tokens, lease and client. */
  forget(): void;
  client(): RegisteredClient | null;
  saveClient(client: RegisteredClient): void;
  forgetClient(): void;
}
