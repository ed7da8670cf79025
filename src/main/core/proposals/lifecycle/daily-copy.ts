import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { copyDaysSchema } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { toolCallParts } from '../operations/tool-call/base.ts';
import { updateParts } from '../operations/update/base.ts';

type Copies = Pick<AppStore, 'campaignCopies' | 'settings'>;

const setting = 'copies.days';
const usualDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

/** Maximum number of copies in the database, of all profiles. */
const maxCopies = 20_000;

/**
 * Keeps, in the transaction of an intent, the campaign as it was just before: once for each campaign and day of the service zone. Does
 * nothing for a write without a complete read of its campaign, such as a change of status of many.
 */
export function keepCopy(store: Copies, proposal: StoredProposal): void {
  if (proposal.state !== 'intent') return;
  const campaign = campaignBefore(proposal);
  const cid = Number(campaign?.['cid']);
  if (campaign === null || !Number.isSafeInteger(cid)) return;
  const { profile, updatedAtMs: atMs } = proposal;
  const { date: day } = serviceDay(atMs, profile.zone);
  const scope = { profileId: profile.id, account: profile.account };
  store.campaignCopies.keep(scope, cid, { day, atMs, body: canonicalJson(campaign) });
  prune(store, atMs);
}

/** The raw campaign that the proposal's last read gave; null where that was no complete read. */
function campaignBefore(proposal: StoredProposal): JsonObject | null {
  if (proposal.operation === 'campaign.update') return updateParts(proposal).before;
  if (proposal.operation !== 'tool.call') return null;
  const { subject } = toolCallParts(proposal);
  if (subject.kind !== 'update' && subject.kind !== 'campaign') return null;
  const campaign = subject.read['campaign'];
  return isJsonObject(campaign) ? campaign : null;
}

/** Number of days for which copies are kept. */
export interface CopyRetention {
  days(): number;
  /** On record; what is older goes at once. Fails as the ledger does, and throws for days outside of the limits of the app API. */
  setDays(days: number): void;
}

/** Makes the setting, and removes what is due. Fails with `storage_failed`. */
export function createCopyRetention(options: {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  clock: Clock;
  onChange(): void;
}): CopyRetention {
  const { store, ledger, clock, onChange } = options;
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
        ledger.append({
          kind: 'details.kept',
          proposalId: null,
          actor: 'You',
          via: null,
          summary: `Daily copies of campaigns are kept for ${counted(after, 'day')}`,
          body: { before, after },
        });
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
  store.campaignCopies.prune({ beforeMs: nowMs - daysOf(store) * dayMs, most: maxCopies });
}
