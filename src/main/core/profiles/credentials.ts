import type { AppStore } from '#core/store/app/index.ts';
import type { Sealer } from './seal.ts';

/** What a profile keeps sealed: pasted credentials, the public client, and the grant of the sign-in. */
export type SealedName = 'member-token' | 'publisher-key' | 'oauth-client' | 'oauth-grant';

/** `other-key`: kept under the key of another session; it stays as it is and cannot be opened now. */
export type Held = 'none' | 'held' | 'other-key';

/** The credentials of live profiles at rest. Reads and writes join the transaction they are called in. */
export interface Credentials {
  /** Null where today's key holds none. Fails with `secret_unreadable`. */
  read(profileId: string, name: SealedName): string | null;
  held(profileId: string, name: SealedName): Held;
  /** Replaces what today's key holds; what another key sealed stays beside it. */
  write(profileId: string, name: SealedName, value: string): void;
  /** Forgets it, whatever key sealed it. */
  forget(profileId: string, name: SealedName): void;
}

/** One row for each name and data key, so that a key of one session never replaces what the vault's key sealed. */
export function createCredentials({ store, sealer }: { store: AppStore; sealer: Sealer }): Credentials {
  const { secrets } = store;
  const rowName = (name: SealedName): string => `${name}@${sealer.keyId}`;
  const rowsOf = (profileId: string, name: SealedName): string[] =>
    secrets.names(profileId).filter((row) => row.startsWith(`${name}@`));

  /** What was opened last of each: every call of a service asks for the same ones again. */
  const opened = new Map<string, { sealed: Buffer; value: string }>();
  const keyOf = (profileId: string, row: string): string => JSON.stringify([profileId, row]);

  return {
    read(profileId, name) {
      const place = { profile: profileId, name: rowName(name) };
      const sealed = secrets.get(place.profile, place.name);
      if (sealed === null) return null;
      const key = keyOf(place.profile, place.name);
      const last = opened.get(key);
      if (last !== undefined && last.sealed.equals(sealed)) return last.value;
      const value = sealer.open(place, sealed).toString();
      opened.set(key, { sealed, value });
      return value;
    },
    held(profileId, name) {
      const rows = rowsOf(profileId, name);
      if (rows.includes(rowName(name))) return 'held';
      return rows.length === 0 ? 'none' : 'other-key';
    },
    write(profileId, name, value) {
      const place = { profile: profileId, name: rowName(name) };
      secrets.set(place.profile, place.name, sealer.seal(place, Buffer.from(value)));
    },
    forget(profileId, name) {
      for (const row of rowsOf(profileId, name)) {
        opened.delete(keyOf(profileId, row));
        secrets.remove(profileId, row);
      }
    },
  };
}
