import { setImmediate } from 'node:timers/promises';
import { entryBy, type Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppStore, PrunableProposal, StoredProposal } from '#core/store/app/index.ts';
import { retentionDaysSchema, type RetentionDays, copyDaysSchema } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import type { CampaignBefore } from '../operations/operation.ts';

interface PruningOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  /** Proposals that must keep their details, because a return of paused campaigns may still need them. */
  neededOf(profileId: string): ReadonlySet<string>;
  clock: Clock;
  logger: Logger;
  onChange(): void;
}

const setting = 'proposals.keptDays';
const defaultDays = 30;
const dayMs = 24 * 60 * 60 * 1000;
const firstRunMs = 60_000;
const intervalMs = 6 * 60 * 60 * 1000;
const batchSize = 50;

/** Removes details of settled proposals after the retention period, except those in `neededOf`. Keeps ledger rows. */
export function createPruning(options: PruningOptions) {
  const { store, ledger, neededOf, clock, logger, onChange } = options;
  const ended = new AbortController();
  let underWay: Promise<number> = Promise.resolve(0);
  let cancel = clock.after(firstRunMs, look);

  function retentionDays(): RetentionDays {
    const stored = retentionDaysSchema.safeParse(
      jsonOrNull(store.settings.get(setting) ?? String(defaultDays)),
    );
    // Removes nothing if the setting cannot be read.
    return stored.success ? stored.data : null;
  }

  function pruneSome(beforeMs: number, after: PrunableProposal | null) {
    return store.transaction(() => {
      const found = store.proposals.prunable({ beforeMs, after, limit: batchSize });
      const profiles = new Set(found.map(({ profileId }) => profileId));
      const needed = new Set([...profiles].flatMap((profileId) => [...neededOf(profileId)]));
      const due = found.filter(({ id }) => !needed.has(id));
      store.proposals.prune(
        due.map(({ id }) => id),
        clock.nowMs(),
      );
      return { count: due.length, last: found.length < batchSize ? null : (found.at(-1) ?? null) };
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
    cancel = clock.after(intervalMs, look);
  }

  return {
    retentionDays,
    /** Applies at once and appends a ledger entry. Fails as the ledger does. */
    setRetentionDays(days: RetentionDays): void {
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
    /** Removes due details. Resolves with the number of proposals. Fails with `storage_failed`. */
    run,
    async dispose(): Promise<void> {
      ended.abort();
      cancel();
      await underWay.catch(() => 0);
    },
  };
}

type Copies = Pick<AppStore, 'campaignCopies' | 'settings'>;

const copySetting = 'copies.days';
const maxCopies = 20_000;

/** Stores a copy of each campaign before a write, once per service day. Returns campaigns without a copy of that day. */
export function keepCopies(
  store: Copies,
  { state, profile, updatedAtMs }: StoredProposal,
  before: readonly CampaignBefore[],
): number[] {
  if (state !== 'intent' || before.length === 0) return [];
  const { date: day } = serviceDay(updatedAtMs, profile.zone);
  const scope = { profileId: profile.id, account: profile.account };
  const uncopied: number[] = [];
  for (const { cid, campaign, readAtMs: atMs = updatedAtMs } of before) {
    if (campaign !== null)
      store.campaignCopies.keep(scope, cid, { day, atMs, body: canonicalJson(campaign) });
    else if (!store.campaignCopies.has(scope, cid, day)) uncopied.push(cid);
  }
  pruneCopies(store, updatedAtMs);
  return uncopied;
}

export type CopyRetention = ReturnType<typeof createCopyRetention>;

export function createCopyRetention(options: {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  clock: Clock;
  onChange(): void;
  formats(): Formats;
}) {
  const { store, ledger, clock, onChange, formats } = options;
  pruneCopies(store, clock.nowMs());
  return {
    days: (): number => daysOf(store),
    /** Removes older copies and appends a ledger entry. Fails as the ledger does. Throws for days outside the API's limits. */
    setDays(wanted: number): void {
      const after = copyDaysSchema.parse(wanted);
      const before = daysOf(store);
      if (after === before) return;
      store.transaction(() => {
        store.settings.set(copySetting, String(after));
        pruneCopies(store, clock.nowMs());
        ledger.append(
          entryBy('You', {
            kind: 'details.kept',
            summary: sentence`Daily copies of campaigns are kept for ${ownWords(formats().counted(after, 'day'))}`,
            body: { before, after },
          }),
        );
        store.afterCommit(onChange);
      });
    },
  };
}

function daysOf({ settings }: Pick<Copies, 'settings'>): number {
  const stored = copyDaysSchema.safeParse(Number(settings.get(copySetting) ?? defaultDays));
  return stored.success ? stored.data : defaultDays;
}

function pruneCopies(store: Copies, nowMs: number): void {
  store.campaignCopies.prune({ beforeMs: nowMs - daysOf(store) * dayMs, max: maxCopies });
}
