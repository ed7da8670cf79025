import type { Clock } from '#core/platform/clock.ts';
import type { BackendStore } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createCredentialFinder } from '#core/platform/credentials.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { callerName } from '../remote-call/arguments.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** Keeps credentials out of tool calls (contract §7.3, "data-loss-prevention"). */
export interface DataLossPrevention {
  /**
   * Fails with `dlp_denied` naming the argument that holds a credential anywhere in it, never the credential. Arguments
   * that bring back what was given here are left out.
   */
  rejectCredentials(args: JsonObject, givenHere?: readonly string[]): void;
}

/** Among so many arguments the one with the credential is looked for, to name it. */
const maxNamed = 100;

/** Knows credentials by their shape, and those of this service by their hash. */
export function createDataLossPrevention(
  store: Pick<BackendStore, 'oauth'>,
  clock: Clock,
): DataLossPrevention {
  const findIn = createCredentialFinder(store.oauth, clock);
  return {
    rejectCredentials(args, givenHere = []) {
      const searched = Object.entries(args).filter(([name]) => !givenHere.includes(name));
      // Checks all of them at once: checking each would block other requests when a client sends a great many.
      const found = findIn(Object.fromEntries(searched));
      if (found === null) return;
      const at = searched.slice(0, maxNamed).find(([name, value]) => findIn({ [name]: value }) !== null);
      // A name that is itself the credential is not repeated.
      const field = at === undefined || findIn(at[0]) !== null ? 'arguments' : callerName(at[0]);
      const message = sentence`It looks like ${ownWords(found)}. Leave it out.`;
      throw new AppError('dlp_denied', { fields: [{ field, code: 'credential', message }] });
    },
  };
}
