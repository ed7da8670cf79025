import type { AppStore } from '#core/store/app/index.ts';
import type { Sealer, SecretName } from './seal.ts';

/** Credentials and keys at rest. Reads and writes join the transaction they are called in. */
export interface Secrets {
  /** The secret, or null where none is stored. Fails with `secret_unreadable`. */
  read(place: SecretName): Buffer | null;
  write(place: SecretName, plain: Buffer): void;
}

/** Keeps secrets in the app's database, sealed with the data key. */
export function createSecrets({ store, sealer }: { store: AppStore; sealer: Sealer }): Secrets {
  return {
    read(place) {
      const sealed = store.secrets.get(place.profile, place.name);
      return sealed === null ? null : sealer.open(place, sealed);
    },
    write: (place, plain) => store.secrets.set(place.profile, place.name, sealer.seal(place, plain)),
  };
}
