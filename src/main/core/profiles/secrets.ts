import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { AppStore } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';

const algorithm = 'aes-256-gcm';
const keyLength = 32;
const ivLength = 12;
const tagLength = 16;

/** Owner and name of a secret. Both are authenticated with the secret, so that a sealed value cannot be opened in another place. */
export interface SecretName {
  profile: string;
  name: string;
}

export interface Sealer {
  /** Identifies the data key without revealing anything about it; always equal for the same key. */
  keyId: string;
  /** 12 bytes of IV, 16 bytes of tag, then the ciphertext. */
  seal(place: SecretName, plain: Buffer): Buffer;
  /** Fails with `secret_unreadable` for a different key, a different place or changed bytes. */
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

/** Encrypted storage of credentials and keys. Reads and writes join the caller's transaction. */
export interface Secrets {
  /** Returns null if no secret is stored. Fails with `secret_unreadable`. */
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

/** `other-key`: a value that the key of another session sealed. It is kept but cannot be opened now. */
export type Held = 'none' | 'held' | 'other-key';

/** Encrypted credentials of live profiles. Reads and writes join the caller's transaction. */
export interface Credentials {
  /** Returns null if no value is sealed with the current key. Fails with `secret_unreadable`. */
  read(profileId: string, name: SealedName): string | null;
  held(profileId: string, name: SealedName): Held;
  /** Replaces the value sealed with the current key. Keeps values that other keys sealed. */
  write(profileId: string, name: SealedName, value: string): void;
  forget(profileId: string, name: SealedName): void;
}

/** Stores one row per name and data key, so that the key of one session never replaces a value of the vault's key. */
export function createCredentials({ store, sealer }: { store: AppStore; sealer: Sealer }): Credentials {
  const { secrets } = store;
  const rowName = (name: SealedName): string => `${name}@${sealer.keyId}`;
  const rowsOf = (profileId: string, name: SealedName): string[] =>
    secrets.names(profileId).filter((row) => row.startsWith(`${name}@`));

  /** Cache of opened values, because every call of a service needs them again. */
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
