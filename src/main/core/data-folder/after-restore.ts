import { z } from 'zod';
import { type Ledger, restoredEntry, type RestoredFrom } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, ListedProposal } from '#core/store/app/index.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { lastBackupSetting } from './backups.ts';
import { lastRestoreSetting, restoredSetting } from './settle-folder.ts';

/** There while a restored database still has open proposals and admitted agents of its backup. */
const endingSetting = 'restore.ending';

const endSchema = z.object({ count: z.int(), head: z.string() });
const fromSchema: z.ZodType<RestoredFrom> = z.object({
  previous: endSchema.nullable(),
  backup: endSchema.extend({ madeAtMs: z.number(), version: z.string() }),
  replaced: z.string(),
});

/** Puts a restore on record, before anything else of this start is; nothing happens without one. Fails as the ledger does. */
export function recordRestore(
  store: AppStore,
  { ledger, clock, failure }: { ledger: Ledger; clock: Clock; failure: AppError | null },
): void {
  const atMs = clock.nowMs();
  if (failure !== null) {
    const { message, next } = encodeError(failure);
    store.settings.set(lastRestoreSetting, JSON.stringify({ atMs, failure: { message, next } }));
  }
  const stored = store.settings.get(restoredSetting);
  if (stored === null) return;
  const from = fromSchema.parse(JSON.parse(stored));
  store.transaction(() => {
    ledger.append(restoredEntry(from));
    store.settings.set(endingSetting, 'yes');
    store.settings.set(lastRestoreSetting, JSON.stringify({ atMs, failure: null }));
    // It was saved after it had been made, which its own copy of the settings cannot say.
    store.settings.set(lastBackupSetting, String(from.backup.madeAtMs));
    store.settings.remove(restoredSetting);
  });
}

export interface EndingParts {
  store: AppStore;
  /** Withdraws a proposal that waits for a decision. */
  withdraw(id: string): void;
  /** Nothing of any agent passes, and none is admitted, until a person lets agents work again. */
  freezeAgents(): void;
  endAgents(): void;
  logger: Logger;
}

/**
 * Freezes agents after a restore, and ends the access of agents and the proposals that waited in the backup, each with its row of the
 * ledger. Approved proposals have been withdrawn by the recovery of the gate. Does nothing without a restore.
 */
export function endRestored({ store, withdraw, freezeAgents, endAgents, logger }: EndingParts): void {
  if (store.settings.get(endingSetting) === null) return;
  try {
    freezeAgents();
    endAgents();
    for (const { id } of store.proposals.open().filter(isWaiting)) {
      // A batch ends with the last of its members.
      if (store.proposals.open().some((one) => one.id === id && isWaiting(one))) withdraw(id);
    }
    store.settings.remove(endingSetting);
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    // A ledger that takes no rows: nothing can be decided either, and the next start tries again.
    logger.error({ failure }, 'What was open in the backup could not be ended');
  }
}

const isWaiting = ({ state }: ListedProposal): boolean => isUndecided(state);
