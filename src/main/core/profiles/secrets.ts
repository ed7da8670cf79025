import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { AppStore } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';

const algorithm = 'aes-256-gcm';
const keyLength = 32;
const ivLength = 12;
const tagLength = 16;

/** Owner of a secret. It is authenticated with the secret, so that a sealed value opens nowhere else. */
export interface SecretName {
  profile: string;
  name: string;
}

export interface Sealer {
  /** Names the data key without revealing anything of it; the same for the same key. */
  keyId: string;
  /** 12 bytes of IV, 16 of tag, then the ciphertext. */
  seal(place: SecretName, plain: Buffer): Buffer;
  /** Fails with `secret_unreadable` for another key, another place or changed bytes. */
  open(place: SecretName, sealed: Buffer): Buffer;
}

export function createSealer(dataKey: Buffer): Sealer {
  if (dataKey.length !== keyLength) throw new Error('The data key must have 32 bytes');
  return {
    keyId: createHash('sha256').update('countersign data key').update(dataKey).digest('hex').slice(0, 16),
    seal(place, plain) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv(algorithm, dataKey, iv).setAAD(associated(place));
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]);
    },
    open(place, sealed) {
      try {
        const decipher = createDecipheriv(algorithm, dataKey, sealed.subarray(0, ivLength), {
          authTagLength: tagLength,
        });
        decipher.setAAD(associated(place));
        decipher.setAuthTag(sealed.subarray(ivLength, ivLength + tagLength));
        return Buffer.concat([decipher.update(sealed.subarray(ivLength + tagLength)), decipher.final()]);
      } catch (cause) {
        throw new AppError('secret_unreadable', {
          data: { profile: place.profile, name: place.name },
          cause,
        });
      }
    },
  };
}

function associated({ profile, name }: SecretName): Buffer {
  return Buffer.from(JSON.stringify([profile, name]));
}

/** Credentials and keys at rest. Reads and writes join the transaction they are called in. */
export interface Secrets {
  /** The secret, or null where none is stored. Fails with `secret_unreadable`. */
  read(place: SecretName): Buffer | null;
  write(place: SecretName, plain: Buffer): void;
  remove(place: SecretName): void;
}

export function createSecrets({ store, sealer }: { store: AppStore; sealer: Sealer }): Secrets {
  return {
    read(place) {
      const sealed = store.secrets.get(place.profile, place.name);
      return sealed === null ? null : sealer.open(place, sealed);
    },
    write: (place, plain) => store.secrets.set(place.profile, place.name, sealer.seal(place, plain)),
    remove: (place) => store.secrets.remove(place.profile, place.name),
  };
}

export type SealedName = 'member-token' | 'publisher-key' | 'oauth-client' | 'oauth-grant';

/** `other-key`: sealed with the key of another session; it stays unchanged and cannot be opened now. */
export type Held = 'none' | 'held' | 'other-key';

/** The credentials of live profiles at rest. Reads and writes join the transaction they are called in. */
export interface Credentials {
  /** Reads a value; null if none is sealed with the current key. Fails with `secret_unreadable`. */
  read(profileId: string, name: SealedName): string | null;
  held(profileId: string, name: SealedName): Held;
  /** Replaces the value sealed with the current key; a value that another key sealed stays beside it. */
  write(profileId: string, name: SealedName, value: string): void;
  forget(profileId: string, name: SealedName): void;
}

/** Keeps one row per name and data key, so that a key of one session never replaces a value of the vault's key. */
export function createCredentials({ store, sealer }: { store: AppStore; sealer: Sealer }): Credentials {
  const { secrets } = store;
  const rowName = (name: SealedName): string => `${name}@${sealer.keyId}`;
  const rowsOf = (profileId: string, name: SealedName): string[] =>
    secrets.names(profileId).filter((row) => row.startsWith(`${name}@`));

  /** Last opened value of each: every call of a service asks for the same ones again. */
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
