import type { Ids } from '#core/platform/ids.ts';
import { AppError } from '#shared/errors/index.ts';
import { createKeyring } from './keyring.ts';

/** Secrets of pages that have exchanged their ticket. They live in this process and die with it. */
export interface Secrets<T> {
  /** A new secret that opens the value until it is revoked. */
  admit(value: T): string;
  /** What the secret opens. Fails with `not_signed_in`. */
  check(secret: string | undefined): T;
  /** Ends every secret whose value matches. */
  revoke(matches: (value: T) => boolean): void;
}

export function createSecrets<T>(ids: Ids): Secrets<T> {
  const admitted = createKeyring<{ value: T }>();
  return {
    admit(value) {
      const secret = ids.secret();
      admitted.add(secret, { value });
      return secret;
    },
    check(secret) {
      const found = secret === undefined ? null : admitted.find(secret);
      if (found === null) throw new AppError('not_signed_in');
      return found.value;
    },
    revoke(matches) {
      admitted.remove(({ value }) => matches(value));
    },
  };
}
