import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { AppError } from '#shared/errors/index.ts';

const algorithm = 'aes-256-gcm';
const keyLength = 32;
const ivLength = 12;
const tagLength = 16;

/** What a secret belongs to. It is authenticated with the secret, so that a sealed value opens nowhere else. */
export interface SecretName {
  profile: string;
  name: string;
}

/** Seals and opens small secrets with the data key of this session. */
export interface Sealer {
  /** Names the data key without telling anything of it; the same for the same key. */
  keyId: string;
  /** 12 bytes of IV, 16 of tag, then the ciphertext. */
  seal(place: SecretName, plain: Buffer): Buffer;
  /** Fails with `secret_unreadable` for another key, another place or changed bytes. */
  open(place: SecretName, sealed: Buffer): Buffer;
}

/** Makes a sealer (AES-256-GCM) from the 32 random bytes that the host unwrapped. */
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
