import { createHmac, createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '#core/platform/clock.ts';
import { isSameSecret } from '#core/platform/credentials.ts';
import { bearerToken } from '#core/platform/loopback/requests.ts';
import { createRecentMap } from '#core/platform/recent-map.ts';
import type { PublisherKey, PublisherKeys, PublisherScope } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';

interface MemberClaims {
  uid: number;
  tenant: string;
  role: string;
}

type MemberEndpoint = 'member' | 'remote';

/** Values of the `aud` claim (RFC 7519 §4.1.3). */
const endpointPaths: Readonly<Record<MemberEndpoint, string>> = { member: '/api/v1', remote: '/mcp' };

/** Member access JWTs of one backend (contract §5.1, §5.3). They become invalid when the backend's process ends. */
export interface MemberTokens {
  /** Sets the address that tokens name as issuer. The audience is an endpoint at that address. */
  bindTo(origin: string): void;
  /** Call it after `bindTo`. The token is valid for 12 hours. */
  issue(claims: MemberClaims): string;
  /** Returns null unless this backend issued the token for this endpoint and the token has not expired. */
  verify(token: string, endpoint: MemberEndpoint): MemberClaims | null;
}

const memberTokenLifetimeMs = 12 * 60 * 60 * 1000;

const maxVerifiedTokens = 256;

/** Tokens with any other header are refused, so a token cannot choose its algorithm. */
const header = encode({ alg: 'HS256', typ: 'JWT' });

/** Signs with HS256 (RFC 7515, RFC 7519). */
export function createMemberTokens({ secret, clock }: { secret: string; clock: Clock }): MemberTokens {
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  // Safe although lookups are not constant-time: the map compares seeded hashes first, so its timing reveals nothing.
  const verifiedTokens = createRecentMap<string, SignedClaims>(maxVerifiedTokens);
  let issuer: string | null = null;
  return {
    bindTo: (origin) => void (issuer = origin),
    issue({ uid, tenant, role }) {
      if (issuer === null) throw new Error('The service does not listen yet');
      const iat = Math.floor(clock.nowMs() / 1000);
      const times = { iat, exp: iat + memberTokenLifetimeMs / 1000 };
      const aud = Object.values(endpointPaths).map((path) => `${issuer}${path}`);
      const signed = `${header}.${encode({ iss: issuer, aud, sub: String(uid), tenant, role, ...times })}`;
      return `${signed}.${sign(signed)}`;
    },
    verify(token, endpoint) {
      const found = verifiedTokens.get(token) ?? readSignedClaims(token, sign);
      if (found === null || found.expiresAtMs <= clock.nowMs()) return null;
      if (found.issuer !== issuer || !found.audience.includes(`${issuer}${endpointPaths[endpoint]}`))
        return null;
      verifiedTokens.set(token, found);
      return found.claims;
    },
  };
}

interface SignedClaims {
  claims: MemberClaims;
  issuer: string;
  audience: readonly string[];
  expiresAtMs: number;
}

function readSignedClaims(token: string, sign: (text: string) => string): SignedClaims | null {
  const [head, body, signature, ...more] = token.split('.');
  if (head !== header || body === undefined || signature === undefined || more.length > 0) return null;
  // Compares texts, because base64url has several spellings for equal bytes.
  if (!isSameSecret(signature, sign(`${head}.${body}`))) return null;
  // Only this backend signs, so the claims have the form that `issue` wrote.
  const { sub, tenant, role, iss, aud, exp } = JSON.parse(
    Buffer.from(body, 'base64url').toString(),
  ) as IssuedClaims;
  return {
    claims: { uid: Number(sub), tenant, role },
    issuer: iss,
    audience: aud,
    expiresAtMs: exp * 1000,
  };
}

interface IssuedClaims {
  iss: string;
  aud: string[];
  sub: string;
  tenant: string;
  role: string;
  exp: number;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/**
 * Returns the uid (contract §5.1, §7.1). Fails with `unauthenticated` without a valid token of this tenant and address, and
 * with `forbidden` for another role.
 */
export function authenticate(
  request: IncomingMessage,
  { tokens, tenant }: { tokens: MemberTokens; tenant: string },
): number {
  const token = bearerToken(request);
  const claims = token === null ? null : tokens.verify(token, 'member');
  if (claims?.tenant !== tenant) throw new AppError('unauthenticated');
  if (claims.role !== 'member') throw new AppError('forbidden');
  return claims.uid;
}

const keyPattern = /^pk_[\w-]{43}$/;

/** Formats a publisher key. Its text is shown once and never stored. */
export function publisherKeyOf(secret: string): string {
  return `pk_${secret}`;
}

/** Hashes a key without salt, because a key has enough random bits. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Contract §5.2. Fails with `publisher_key_invalid` or `publisher_scope_missing`. */
export function authenticateKey(
  keys: PublisherKeys,
  query: Readonly<Record<string, unknown>>,
  scope: PublisherScope,
): PublisherKey {
  const token = query['token'];
  const key = typeof token === 'string' && keyPattern.test(token) ? keys.find(hashOfKey(token)) : null;
  if (key === null) throw new AppError('publisher_key_invalid');
  if (!key.scopes.includes(scope)) throw new AppError('publisher_scope_missing');
  return key;
}
