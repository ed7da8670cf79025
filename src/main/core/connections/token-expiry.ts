import { isJsonObject } from '#shared/lib/json/json-value.ts';

/**
 * When a JWT says that it ends (RFC 7519 §4.1.4), in milliseconds since 1970; null where it does not say so, or is no JWT.
 * Nothing is verified: this is for showing only. Never fails.
 */
export function tokenExpiry(token: string): number | null {
  const [, body, , ...more] = token.split('.');
  if (body === undefined || more.length > 0) return null;
  let claims: unknown;
  try {
    claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  } catch {
    return null;
  }
  const seconds = isJsonObject(claims) ? claims['exp'] : null;
  if (typeof seconds !== 'number' || seconds <= 0 || seconds > latestSeconds) return null;
  return Math.floor(seconds * 1000);
}

/** The end of the year 9999: later moments cannot be shown as a date. */
const latestSeconds = 253_402_300_799;
