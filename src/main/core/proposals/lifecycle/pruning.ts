import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { entryBy, type Ledger } from '#core/ledger/index.ts';
import type { AppStore, PrunableProposal } from '#core/store/app/index.ts';
import { retentionDaysSchema, type RetentionDays } from '#shared/app-api/index.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** Removes the details of settled proposals after a while. Rows of the ledger stay, and so does what waits, is unknown, or may be resumed. */
export interface Pruning extends AsyncDisposable {
  retentionDays(): RetentionDays;
  /** On record, and applied at once. Fails as the ledger does. */
  setRetentionDays(days: RetentionDays): void;
  /** Prunes what is due. Resolves with the number of proposals. Fails with `storage_failed`. */
  run(): Promise<number>;
}

export interface PruningOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  /** Proposals of the profile that a page may still resume. */
  neededOf(profileId: string): ReadonlySet<string>;
  clock: Clock;
  logger: Logger;
  onChange(): void;
}

const setting = 'proposals.keptDays';
const usualDays: RetentionDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

const firstRunMs = 60_000;
const everyMs = 6 * 60 * 60 * 1000;

const atOnce = 50;

export function createPruning(options: PruningOptions): Pruning {
  const { store, ledger, neededOf, clock, logger, onChange } = options;
  const ended = new AbortController();
  let underWay: Promise<number> = Promise.resolve(0);
  let cancel = clock.after(firstRunMs, look);

  function retentionDays(): RetentionDays {
    const stored = retentionDaysSchema.safeParse(
      jsonOrNull(store.settings.get(setting) ?? String(usualDays)),
    );
    // A setting that cannot be read removes nothing.
    return stored.success ? stored.data : null;
  }

  function pruneSome(beforeMs: number, after: PrunableProposal | null) {
    return store.transaction(() => {
      const found = store.proposals.prunable({ beforeMs, after, limit: atOnce });
      const profiles = new Set(found.map(({ profileId }) => profileId));
      const needed = new Set([...profiles].flatMap((profileId) => [...neededOf(profileId)]));
      const due = found.filter(({ id }) => !needed.has(id));
      store.proposals.prune(
        due.map(({ id }) => id),
        clock.nowMs(),
      );
      return { count: due.length, last: found.length < atOnce ? null : (found.at(-1) ?? null) };
    });
  }

  async function prune(): Promise<number> {
    const days = retentionDays();
    if (days === null) return 0;
    const beforeMs = clock.nowMs() - days * dayMs;
    let pruned = 0;
    let last: PrunableProposal | null = null;
    do {
      const some = pruneSome(beforeMs, last);
      pruned += some.count;
      ({ last } = some);
      await setImmediate();
    } while (last !== null && !ended.signal.aborted);
    while (!ended.signal.aborted && store.returnPages()) await setImmediate();
    if (pruned > 0) {
      logger.info({ proposals: pruned }, 'The details of settled proposals were removed');
      onChange();
    }
    return pruned;
  }

  function run(): Promise<number> {
    underWay = underWay.catch(() => 0).then(() => (ended.signal.aborted ? 0 : prune()));
    return underWay;
  }

  function look(): void {
    run().catch((failure: unknown) => logger.error({ failure }, 'Settled proposals could not be pruned'));
    cancel = clock.after(everyMs, look);
  }

  return {
    retentionDays,
    setRetentionDays(days) {
      const before = retentionDays();
      if (days === before) return;
      store.transaction(() => {
        store.settings.set(setting, JSON.stringify(days));
        ledger.append(
          entryBy('You', {
            kind: 'details.kept',
            summary: sentence`Details of settled changes are kept ${ownWords(days === null ? 'without end' : `for ${days} days`)}`,
            body: { before, after: days },
          }),
        );
        store.afterCommit(onChange);
      });
      cancel();
      look();
    },
    run,
    async dispose() {
      ended.abort();
      cancel();
      await underWay.catch(() => 0);
    },
  };
}
