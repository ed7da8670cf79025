import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { LoopbackHandler } from '#core/platform/loopback/listener.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';

/** A scope that the server supports (contract §5.3). */
export interface ScopeDefinition {
  name: string;
  /** True if a request without scopes gets this scope. */
  isDefault: boolean;
  /** True if the resource's metadata lists the scope (RFC 9728 §2, `scopes_supported`), so that most clients request it. */
  ofResource: boolean;
}

export interface TokenLifetimes {
  accessTokenSeconds: number;
  codeSeconds: number;
  /** Counted from the last rotation. */
  refreshTokenIdleSeconds: number;
  interactionSeconds: number;
  /** How long a rotated refresh token is refused without revoking its family. */
  rotationGraceSeconds: number;
}

/** A public client that is known without registration (member names of RFC 7591). */
export interface KnownClient {
  clientId: string;
  clientName: string;
  redirectUris: readonly string[];
}

/** Quotas per caller; `null` means unlimited. */
export interface OAuthQuotas {
  tokenRequestsPerMinute: number | null;
  registrationsPerMinute: number | null;
}

export interface AuthorizationServerOptions {
  /** The origin of the listener, without a trailing slash (RFC 8414 §2). */
  issuer: string;
  /** The complete address of the one protected resource (RFC 8707, RFC 9728). */
  resource: string;
  scopes: readonly ScopeDefinition[];
  rows: OAuthRows;
  interaction: InteractionStrategy;
  /**
   * Stores up to `maxClients` clients, and removes clients first that never got a token. With `nativeApps`
   * (RFC 8252), skips unacceptable addresses, and an http address on the loopback matches any port.
   * Otherwise addresses match exactly, and one bad address refuses the registration (contract §5.3).
   */
  registration: { kind: 'open'; maxClients: number; nativeApps?: boolean } | { kind: 'closed' };
  knownClients?: readonly KnownClient[];
  isActive(subject: string): boolean;
  /** Called after a person has agreed and the grant is stored, before any token is issued. */
  onGranted?(grant: { subject: string; grantId: string }): void;
  /**
   * Answers a refresh that is repeated within ten seconds with the same tokens, if their refresh token is unused. Any
   * other reuse ends the family (docs/decisions/0029). Without this option, only one caller gets tokens (contract §5.3).
   */
  refreshRepeats?: { onRepeat(grant: { subject: string; grantId: string }): void };
  lifetimes?: Partial<TokenLifetimes>;
  quotas?: Partial<OAuthQuotas>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

export interface AccessGrant {
  subject: string;
  clientId: string;
  grantId: string;
  scopes: ReadonlySet<string>;
  expiresAtMs: number;
}

export interface GrantToIssue {
  subject: string;
  clientName: string;
  scopes: readonly string[];
  /** Reuses the previous grant, also after a restart, so that changes prepared under it can still be committed. */
  isPersistent?: boolean;
}

export interface IssuedGrant {
  clientId: string;
  grantId: string;
  accessToken: string;
  refreshToken: string;
  expiresInSeconds: number;
  scopes: readonly string[];
}

/** The authorization server of one resource (OAuth 2.1, RFC 7591, 7009, 8414, 8707, 9728). The creator disposes it. */
export interface AuthorizationServer extends AsyncDisposable {
  /** True for the server's own paths: metadata, authorization, token, registration, revocation, interactions. */
  answers(path: string): boolean;
  handle: LoopbackHandler;
  /**
   * Resolves with the result of `find` for the grant of a valid access token for this resource, and with null for any other
   * text. `find` returns null for an inactive subject. Fails with `storage_failed`.
   */
  authenticate<T>(token: string, find: (grant: AccessGrant) => T | null): Promise<T | null>;
  issueGrant(options: GrantToIssue): Promise<IssuedGrant>;
  revokeGrant(grantId: string): Promise<void>;
  /** Called for every grant that ends, for any reason. Returns the unsubscribe function. */
  onRevoked(listener: (grantId: string) => void): () => void;
  /** The address of the protected resource metadata (RFC 9728 §3.1), for `WWW-Authenticate`. */
  resourceMetadataUrl: string;
}

/** A client's request for access. All members except `id` come from the client or its registration: untrusted text. */
export interface AuthorizationRequest {
  /** The id of the interaction in its addresses. Only the browser that began the interaction may know it. */
  id: string;
  clientId: string;
  clientName: string | null;
  redirectUri: string;
  /** The registered grant types. With `refresh_token`, tokens can be renewed (RFC 7591 §2). */
  grantTypes: readonly string[];
  scopes: readonly string[];
  resource: string;
  expiresAtMs: number;
}

export type InteractionResult =
  { kind: 'granted'; subject: string; scopes: readonly string[] } | { kind: 'denied' };

export interface InteractionExchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The path of this interaction, without a trailing slash. Forms post to paths below it. */
  path: string;
  /** The rest of the path, such as `` or `/sign-in`. */
  subpath: string;
  /** Ends the interaction and sends the browser back to the client. Only the first call counts. */
  finish(result: InteractionResult): Promise<void>;
}

export interface RefusalWords {
  /** The error code of the standards, such as `invalid_request`. */
  error: string;
  description: string;
}

export interface RefusalPage {
  body: string;
  headers: Record<string, string>;
}

export interface InteractionStrategy {
  /** Answers one request of the browser. A thrown `AppError` becomes a plain page. */
  handle(asked: AuthorizationRequest, exchange: InteractionExchange): Promise<void>;
  /** The page for an interaction that is unknown or has ended. Default: a plain page. */
  refusalPage?(words: RefusalWords): RefusalPage;
}

export const paths = {
  serverMetadata: '/.well-known/oauth-authorization-server',
  authorize: '/authorize',
  token: '/token',
  register: '/register',
  revoke: '/revoke',
  interaction: '/interaction',
} as const;

/** The path of a resource's metadata: the well-known part precedes the path of the resource (RFC 9728 §3.1). */
export function resourceMetadataPath(resource: string): string {
  return `/.well-known/oauth-protected-resource${new URL(resource).pathname}`;
}
