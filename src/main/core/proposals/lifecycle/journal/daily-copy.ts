import { entryBy, type Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { copyDaysSchema } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { CampaignBefore } from '../../operations/operation.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

type Copies = Pick<AppStore, 'campaignCopies' | 'settings'>;

const setting = 'copies.days';
const usualDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

const maxCopies = 20_000;

/** Copies each campaign before an intent, once per day of the service zone. Returns those with neither a read nor a copy of that day. */
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
  prune(store, updatedAtMs);
  return uncopied;
}

export interface CopyRetention {
  days(): number;
  /** On record; removes older copies. Fails as the ledger does, and throws for days outside the limits of the app API. */
  setDays(days: number): void;
}

/** Removes what is due. Fails with `storage_failed`. */
export function createCopyRetention(options: {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  clock: Clock;
  onChange(): void;
  formats(): Formats;
}): CopyRetention {
  const { store, ledger, clock, onChange, formats } = options;
  prune(store, clock.nowMs());
  return {
    days: () => daysOf(store),
    setDays(wanted) {
      const after = copyDaysSchema.parse(wanted);
      const before = daysOf(store);
      if (after === before) return;
      store.transaction(() => {
        store.settings.set(setting, String(after));
        prune(store, clock.nowMs());
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
  const stored = copyDaysSchema.safeParse(Number(settings.get(setting) ?? usualDays));
  return stored.success ? stored.data : usualDays;
}

function prune(store: Copies, nowMs: number): void {
  store.campaignCopies.prune({ beforeMs: nowMs - daysOf(store) * dayMs, max: maxCopies });
}
