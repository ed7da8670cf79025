import type { PublisherKey, PublisherKeys, PublisherScope } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RawQuery } from '../http/query-reader.ts';
import { hashOfKey, isPublisherKey } from './publisher-key.ts';

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
