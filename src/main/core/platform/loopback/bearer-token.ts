import type { IncomingMessage } from 'node:http';
import { headerValues } from './guards.ts';

const bearer = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * The token of the one Authorization header (RFC 6750 §2.1); null when it is missing, doubled or of another form. Tokens
 * in the query or the body are never looked at.
 */
export function bearerToken(request: IncomingMessage): string | null {
  const [header, ...more] = headerValues(request, 'authorization');
  return more.length === 0 ? (bearer.exec(header ?? '')?.[1] ?? null) : null;
}
