import type { IncomingMessage } from 'node:http';
import { AppError } from '#shared/errors/index.ts';
import { headerValues } from '#core/platform/loopback/index.ts';
import type { MemberTokens } from './member-token.ts';

const bearer = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * Derives the member's uid from the one Authorization header (contract §5.1, §7.1). Fails with `unauthenticated` when it
 * is missing, doubled, expired or anything but a member token of this tenant, a publisher key included, and with
 * `forbidden` for another role.
 */
export function authenticate(
  request: IncomingMessage,
  { tokens, tenant }: { tokens: MemberTokens; tenant: string },
): number {
  const [header, ...more] = headerValues(request, 'authorization');
  const token = more.length === 0 ? bearer.exec(header ?? '')?.[1] : undefined;
  const claims = token === undefined ? null : tokens.verify(token);
  if (claims?.tenant !== tenant) throw new AppError('unauthenticated');
  if (claims.role !== 'member') throw new AppError('forbidden');
  return claims.uid;
}
