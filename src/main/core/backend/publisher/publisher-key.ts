import { createHash } from 'node:crypto';
import type { PublisherKey, PublisherKeys, PublisherScope } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RawQuery } from '../http/query-reader.ts';

const keyForm = /^pk_[\w-]{43}$/;

/** A publisher key from a fresh secret (256 bits, base64url). Its text is shown once and never stored. */
export function publisherKeyOf(secret: string): string {
  return `pk_${secret}`;
}

/** True if the text has the form of a key. */
function isPublisherKey(text: string): boolean {
  return keyForm.test(text);
}

/** Under which a key is stored: the SHA-256 of its text. A key has enough bits of its own, so no salt. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/**
 * Finds the publisher key behind the one `token` parameter (contract §5.2). Headers and cookies never count. Fails with
 * `publisher_key_invalid` when it is missing, doubled, unknown, revoked or anything but a publisher key, and with
 * `publisher_scope_missing`.
 */
export function authenticateKey(keys: PublisherKeys, query: RawQuery, scope: PublisherScope): PublisherKey {
  const token = query['token'];
  const key = typeof token === 'string' && isPublisherKey(token) ? keys.find(hashOfKey(token)) : null;
  if (key === null) throw new AppError('publisher_key_invalid');
  if (!key.scopes.includes(scope)) throw new AppError('publisher_scope_missing');
  return key;
}
