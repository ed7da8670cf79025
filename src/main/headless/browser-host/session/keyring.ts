import { createHash } from 'node:crypto';
import { isSameSecret } from '#core/platform/same-secret.ts';

/** Values behind secrets. Only hashes are kept, and a look-up takes the same time wherever a wrong secret differs. */
export interface Keyring<T> {
  add(secret: string, value: T): void;
  find(secret: string): T | null;
  remove(matches: (value: T) => boolean): void;
}

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export function createKeyring<T>(): Keyring<T> {
  let entries: { hash: string; value: T }[] = [];
  return {
    add(secret, value) {
      entries.push({ hash: hash(secret), value });
    },
    find(secret) {
      const sought = hash(secret);
      let found: T | null = null;
      for (const entry of entries) if (isSameSecret(sought, entry.hash)) found = entry.value;
      return found;
    },
    remove(matches) {
      entries = entries.filter(({ value }) => !matches(value));
    },
  };
}
