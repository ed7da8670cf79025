import { isJsonObject } from '#shared/lib/json/json-value.ts';

/** When a JWT says that it ends (RFC 7519 §4.1.4), read without any verification; null for everything else. */
export function tokenEndMs(token: string): number | null {
  const [, claims, signature, more] = token.split('.');
  if (claims === undefined || signature === undefined || more !== undefined) return null;
  try {
    const read: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const exp = isJsonObject(read) ? read['exp'] : null;
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : null;
  } catch {
    return null;
  }
}
