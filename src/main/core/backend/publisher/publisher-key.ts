import { createHash } from 'node:crypto';

const keyForm = /^pk_[\w-]{43}$/;

/** A publisher key from a fresh secret (256 bits, base64url). Its text is shown once and never stored. */
export function publisherKeyOf(secret: string): string {
  return `pk_${secret}`;
}

/** Whether the text could be a key at all. */
export function isPublisherKey(text: string): boolean {
  return keyForm.test(text);
}

/** Under which a key is stored: the SHA-256 of its text. A key has enough bits of its own, so no salt. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
