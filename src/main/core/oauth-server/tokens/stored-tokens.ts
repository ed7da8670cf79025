import type { Clock } from '#core/platform/clock.ts';
import type { OAuthRows, OAuthRow } from '#core/store/oauth-rows.ts';
import { createHash } from 'node:crypto';
import { createRecentMap } from '#core/platform/recent-map.ts';

/** The id of a row. Only a hash is stored, because an id may be a token. */
export function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

export function isOver({ expiresAtMs }: Pick<OAuthRow, 'expiresAtMs'>, clock: Clock): boolean {
  return expiresAtMs !== null && expiresAtMs <= clock.nowMs();
}

const maxRemembered = 256;

/** Caches the grants of access tokens until any row of the authorization server is written. */
export interface RememberedTokens<T> {
  rows: OAuthRows;
  /** The cached grant of the token, or the result of `read`. Null is not cached. */
  get(token: string, read: (rows: OAuthRows) => T | null): T | null;
}

/** Agents call repeatedly with one token. A hit requires exactly the text that was looked up before. */
export function rememberTokens<T>(rows: OAuthRows): RememberedTokens<T> {
  const remembered = createRecentMap<string, T>(maxRemembered);
  const thenForget =
    <Args extends unknown[], R>(write: (...args: Args) => R) =>
    (...args: Args): R => {
      remembered.clear();
      return write(...args);
    };
  return {
    rows: {
      find: (model, idHash) => rows.find(model, idHash),
      count: (model) => rows.count(model),
      upsert: thenForget((row) => rows.upsert(row)),
      consume: thenForget((model, idHash, atMs) => rows.consume(model, idHash, atMs)),
      renew: thenForget((model, idHash, expiresAtMs) => rows.renew(model, idHash, expiresAtMs)),
      remove: thenForget((model, idHash) => rows.remove(model, idHash)),
      removeByGrant: thenForget((grantId) => rows.removeByGrant(grantId)),
      keepNewest: thenForget((model, max) => rows.keepNewest(model, max)),
      prune: thenForget((nowMs) => rows.prune(nowMs)),
    },
    get(token, read) {
      const found = remembered.get(token) ?? read(rows);
      if (found === null) return null;
      remembered.set(token, found);
      return found;
    },
  };
}
