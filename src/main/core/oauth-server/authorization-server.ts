import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { LoopbackHandler } from '#core/platform/loopback/listener.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';

/** One scope that the server knows (contract §5.3). */
export interface ScopeDefinition {
  name: string;
  /** Granted when a request names no scope. */
  isDefault: boolean;
  /** True if the metadata of the resource name it (RFC 9728 §2, `scopes_supported`): then most clients request it. */
  ofResource: boolean;
}

export interface TokenLifetimes {
  accessTokenSeconds: number;
  codeSeconds: number;
  /** Since the last rotation. */
  refreshTokenIdleSeconds: number;
  interactionSeconds: number;
  /** Time after its rotation in which a reused refresh token is refused without revoking its family. */
  rotationGraceSeconds: number;
}

/** A public client that is known without registration (RFC 7591 names). */
export interface KnownClient {
  clientId: string;
  clientName: string;
  redirectUris: readonly string[];
}

/** Quotas of one caller; `null` switches a quota off. */
export interface OAuthQuotas {
  tokenRequestsPerMinute: number | null;
  registrationsPerMinute: number | null;
}

export interface AuthorizationServerOptions {
  /** The origin of the listener, without a slash (RFC 8414 §2). */
  issuer: string;
  /** The one protected resource, its full address (RFC 8707, RFC 9728). */
  resource: string;
  scopes: readonly ScopeDefinition[];
  rows: OAuthRows;
  interaction: InteractionStrategy;
  /**
   * At most `maxClients` are stored; those that never got a token go first. With `nativeApps` (RFC 8252) unacceptable
   * addresses are left out, and an http one on the loopback matches any port. Otherwise each is exact, and a bad one
   * refuses the registration (contract §5.3).
   */
  registration: { kind: 'open'; maxClients: number; nativeApps?: boolean } | { kind: 'closed' };
  knownClients?: readonly KnownClient[];
  isActive(subject: string): boolean;
  /** A person has agreed: the grant is kept, and no token of it was given out yet. */
  onGranted?(grant: { subject: string; grantId: string }): void;
  /**
   * Answers a refresh that is repeated within ten seconds with the same tokens, while their refresh token is unused; any
   * other reuse ends the family (docs/decisions/0029). Without it one caller alone gets tokens (contract §5.3).
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
  /** The same grant as the last time, also after a restart: what was prepared under it can still be committed. */
  isLasting?: boolean;
}

/** Tokens made without a page, for the server's owner. */
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
  /** True for its own paths: metadata, authorize, token, registration, revocation, interactions. */
  answers(path: string): boolean;
  handle: LoopbackHandler;
  /** The grant behind a living access token of this resource; null for anything else. Fails with `storage_failed`. */
  authenticate(token: string): Promise<AccessGrant | null>;
  issueGrant(options: GrantToIssue): Promise<IssuedGrant>;
  revokeGrant(grantId: string): Promise<void>;
  /** Called for every grant that ends, whatever ended it; returns the end of the subscription. */
  onRevoked(listener: (grantId: string) => void): () => void;
  /** The address of the protected-resource metadata (RFC 9728 §3.1), for `WWW-Authenticate`. */
  resourceMetadataUrl: string;
}

/** A client's request for access. Everything but the id comes from the client or its registration: foreign text. */
export interface AuthorizationRequest {
  /** Names this interaction in its addresses; a secret of the browser that began it. */
  id: string;
  clientId: string;
  clientName: string | null;
  redirectUri: string;
  /** The registered grant types: with `refresh_token` its tokens can be renewed (RFC 7591 §2). */
  grantTypes: readonly string[];
  scopes: readonly string[];
  resource: string;
  expiresAtMs: number;
}

export type InteractionResult =
  { kind: 'granted'; subject: string; scopes: readonly string[] } | { kind: 'denied' };

/** One request of the browser below the address of an interaction. */
export interface InteractionExchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The path of this interaction, without a slash at the end; forms post below it. */
  path: string;
  /** The rest after that path, for example `` or `/sign-in`. */
  subpath: string;
  /** Ends the interaction, once, and sends the browser back to the client. */
  finish(result: InteractionResult): Promise<void>;
}

export interface RefusalWords {
  /** The word of the standards, for example `invalid_request`. */
  error: string;
  description: string;
}

export interface RefusalPage {
  body: string;
  headers: Record<string, string>;
}

/** Answers for a person: by a page here, or by the app's own window. */
export interface InteractionStrategy {
  /** Answers one request of the browser; an `AppError` that is thrown becomes a plain page. */
  handle(asked: AuthorizationRequest, exchange: InteractionExchange): Promise<void>;
  /** Page for an interaction that is unknown or over; a plain page if this is missing. */
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

/** The path of a resource's metadata: the well-known part goes before its own path (RFC 9728 §3.1). */
export function resourceMetadataPath(resource: string): string {
  return `/.well-known/oauth-protected-resource${new URL(resource).pathname}`;
}
