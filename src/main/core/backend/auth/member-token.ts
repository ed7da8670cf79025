import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#core/platform/clock.ts';

/** Whom a member token names. */
export interface MemberClaims {
  uid: number;
  tenant: string;
  role: string;
}

/** Makes and checks the member access JWTs of one backend (contract §5.1). They end with its process. */
export interface MemberTokens {
  /** Valid for 12 hours. */
  issue(claims: MemberClaims): string;
  /** The claims of a living token of this backend; null for everything else. */
  verify(token: string): MemberClaims | null;
}

/** 12 hours. */
const memberTokenLifetimeMs = 12 * 60 * 60 * 1000;

/** How many living tokens are remembered; beyond that all are forgotten and checked again. */
const mostRemembered = 256;

/** The only header there is: no token chooses its own algorithm. */
const header = encode({ alg: 'HS256', typ: 'JWT' });

/** HS256 (RFC 7515, RFC 7519) under a secret that only this backend has. */
export function createMemberTokens({ secret, clock }: { secret: string; clock: Clock }): MemberTokens {
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  // A hit is the very text that was checked before; a map compares seeded hashes first, so its timing tells nothing.
  const remembered = new Map<string, LivingClaims>();
  return {
    issue({ uid, tenant, role }) {
      const iat = Math.floor(clock.nowMs() / 1000);
      const claims = { sub: String(uid), tenant, role, iat, exp: iat + memberTokenLifetimeMs / 1000 };
      const signed = `${header}.${encode(claims)}`;
      return `${signed}.${sign(signed)}`;
    },
    verify(token) {
      const found = remembered.get(token) ?? checked(token, sign);
      if (found === null || found.expiresAtMs <= clock.nowMs()) return null;
      if (remembered.size >= mostRemembered) remembered.clear();
      remembered.set(token, found);
      return found.claims;
    },
  };
}

interface LivingClaims {
  claims: MemberClaims;
  expiresAtMs: number;
}

/** The claims of a token that is signed by us, expired or not. */
function checked(token: string, sign: (text: string) => string): LivingClaims | null {
  const [head, body, signature, ...more] = token.split('.');
  if (head !== header || body === undefined || signature === undefined || more.length > 0) return null;
  if (!isSame(signature, sign(`${head}.${body}`))) return null;
  // Only this backend signs, so the claims are what `issue` wrote.
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, string | number>;
  return {
    claims: { uid: Number(claims['sub']), tenant: String(claims['tenant']), role: String(claims['role']) },
    expiresAtMs: Number(claims['exp']) * 1000,
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** In constant time, over the text itself: base64url has more than one spelling for the same bytes. */
function isSame(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
