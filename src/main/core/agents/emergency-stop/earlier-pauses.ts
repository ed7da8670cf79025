import { z } from 'zod';
import type { Clock } from '#core/platform/clock.ts';
import { createRecentMap } from '#core/platform/recent-map.ts';
import { type Gate, latestId, skippedCids, memberIds, statusEffects } from '#core/proposals/index.ts';
import type { AppStore, ListedProposal } from '#core/store/app/index.ts';
import { type CampaignsToPause, campaignsToPauseSchema, type ProposalState } from '#shared/app-api/index.ts';
import { runs } from '#shared/campaign/index.ts';
import { jsonOrNull } from '#shared/lib/json/json-value.ts';
import { isOpen, isUndecided } from '#shared/proposals/states.ts';

/** `leaves` contains the campaigns that the return skips, because they have changed since the pause. */
const returnSchema = z.object({ id: z.string(), leaves: z.array(z.int()) });

const pauseSchema = z.object({
  pause: z.string(),
  more: z.array(z.string()),
  returns: z.array(returnSchema),
});

const skippedSchema = z.object({
  /**
   * The start of the freeze. After a later freeze no follow-up is proposed for these campaigns, because the later emergency
   * stop covers them.
   */
  sinceMs: z.number(),
  of: z.string().nullable(),
  cids: z.array(z.int()),
  ended: z.array(z.string()),
});

/** Campaigns that an emergency stop skipped because a change was in progress, until their pause is proposed. */
export type SkippedCampaigns = z.infer<typeof skippedSchema>;

export type RememberedPause = z.infer<typeof pauseSchema>;

export interface PausedCampaign {
  cid: number;
  name: string;
  statusBefore: number;
  proposalId: string;
}

export interface WaitingPauses {
  ids: readonly string[];
  cids: ReadonlySet<number>;
}

interface NotSent {
  ended: string[];
  cids: number[];
}

const readBack: ReadonlySet<ProposalState> = new Set(['verified', 'differs']);

/** States of an executed return. A batch counts as executed even if members of it failed. */
const executed: ReadonlySet<ProposalState> = new Set(['verified', 'done', 'differs', 'unknown']);
const maxPauses = 20;

/** Bounds the cache of status effects: every status change reads them again, and an entry may have a thousand campaigns. */
const maxCached = 200;

interface StoredPauses {
  settings: Pick<AppStore['settings'], 'get' | 'set'>;
  proposals: Pick<AppStore['proposals'], 'find' | 'findListed'>;
}

export type EarlierPauses = ReturnType<typeof createEarlierPauses>;

/**
 * The campaigns to pause and the latest pauses of each profile, stored as settings. Earlier statuses are read from the
 * proposals. Fails with `storage_failed`.
 */
export function createEarlierPauses({ settings, proposals }: StoredPauses) {
  const effects = createRecentMap<string, readonly PausedCampaign[]>(maxCached);

  function read<T>(key: string, schema: z.ZodType<T>, fallback: T): T {
    const parsed = schema.safeParse(jsonOrNull(settings.get(key) ?? ''));
    return parsed.success ? parsed.data : fallback;
  }

  const setKey = (profileId: string): string => `emergency-stop.set.${profileId}`;
  const skippedKey = (profileId: string): string => `emergency-stop.left-out.${profileId}`;
  const pausesKey = (profileId: string): string => `emergency-stop.pauses.${profileId}`;

  const pausesOf = (profileId: string): RememberedPause[] =>
    read(pausesKey(profileId), z.array(pauseSchema), []);
  const store = (profileId: string, pauses: readonly RememberedPause[]): void =>
    settings.set(pausesKey(profileId), JSON.stringify(pauses.slice(0, maxPauses)));

  function add(profileId: string, pause: string): void {
    store(profileId, [{ pause, more: [], returns: [] }, ...pausesOf(profileId)]);
  }

  function replace(profileId: string, changed: RememberedPause): void {
    store(
      profileId,
      pausesOf(profileId).map((one) => (one.pause === changed.pause ? changed : one)),
    );
  }

  function latestOf(id: string): ListedProposal | null {
    const found = proposals.findListed(id);
    return found === null || found.replacedBy === null
      ? found
      : proposals.findListed(latestId({ proposals }, id));
  }

  function waitingOf(id: string): ListedProposal | null {
    const latest = latestOf(id);
    return latest !== null && isUndecided(latest.state) ? latest : null;
  }

  function partsOf(id: string): ListedProposal[] {
    const latest = latestOf(id);
    if (latest === null) return [];
    const batch = latest.operation === 'batch' ? proposals.find(latest.id) : null;
    return batch === null ? [latest] : memberIds(batch).flatMap((member) => latestOf(member) ?? []);
  }

  function effectsOf({ id, updatedAtMs }: ListedProposal): readonly PausedCampaign[] {
    const key = `${id} ${updatedAtMs}`;
    const cached = effects.get(key);
    if (cached !== undefined) return cached;
    const part = proposals.find(id);
    const found = (part === null ? [] : statusEffects(part)).flatMap(({ cid, name, before: { status } }) =>
      typeof status === 'number' ? [{ cid, name, statusBefore: status, proposalId: id }] : [],
    );
    effects.set(key, found);
    return found;
  }

  const readBackParts = (id: string): ListedProposal[] =>
    partsOf(id).filter(({ state }) => readBack.has(state));

  function settledBy({ returns }: RememberedPause): ReadonlySet<number> {
    return new Set(
      returns.flatMap(({ id, leaves }) => {
        const latest = latestOf(id);
        const left = latest !== null && executed.has(latest.state) ? leaves : [];
        return [...left, ...readBackParts(id).flatMap((part) => effectsOf(part).map(({ cid }) => cid))];
      }),
    );
  }

  /**
   * True if the pause and all of its members are settled. The members are checked too, because a batch may settle before its
   * last member does.
   */
  function hasEnded(id: string): boolean {
    const latest = latestOf(id);
    return latest !== null && isSettled(latest) && partsOf(id).every(isSettled);
  }

  function cidsNotSent({ id, outcome, targets }: ListedProposal): readonly number[] {
    if (outcome?.code === 'campaign_locked') return targets;
    const part = proposals.find(id);
    return part === null ? [] : [...skippedCids(part)];
  }

  return {
    // An unreadable choice pauses all running campaigns, because too much is safer than too little.
    set: (profileId: string): CampaignsToPause =>
      read<CampaignsToPause>(setKey(profileId), campaignsToPauseSchema, { kind: 'running' }),
    choose: (profileId: string, set: CampaignsToPause): void =>
      settings.set(setKey(profileId), JSON.stringify(set)),
    skipped: (profileId: string): SkippedCampaigns | null =>
      read<SkippedCampaigns | null>(skippedKey(profileId), skippedSchema, null),
    setSkipped: (profileId: string, left: SkippedCampaigns): void =>
      settings.set(skippedKey(profileId), JSON.stringify(left)),
    newest: (profileId: string): RememberedPause | null => pausesOf(profileId)[0] ?? null,
    add,
    /** Adds the pause `id` to the pause `of` that it completes. If `of` is unknown, `id` is stored as a pause of its own. */
    addFollowUp(profileId: string, of: string | null, id: string): void {
      const known = pausesOf(profileId).find(({ pause }) => pause === of);
      if (known === undefined) add(profileId, id);
      else replace(profileId, { ...known, more: [...known.more, id] });
    },
    addReturn(profileId: string, of: string, made: z.infer<typeof returnSchema>): void {
      const known = pausesOf(profileId).find(({ pause }) => pause === of);
      if (known !== undefined) replace(profileId, { ...known, returns: [...known.returns, made] });
    },
    forget: (profileId: string, of: string): void =>
      store(
        profileId,
        pausesOf(profileId).filter(({ pause }) => pause !== of),
      ),
    latestResumable(profileId: string) {
      for (const remembered of pausesOf(profileId)) {
        const parts = [remembered.pause, ...remembered.more].flatMap(readBackParts);
        const settled = settledBy(remembered);
        const campaigns = parts
          .flatMap(effectsOf)
          .filter(({ cid, statusBefore }) => runs(statusBefore) && !settled.has(cid));
        const atMs = Math.max(...parts.map(({ updatedAtMs }) => updatedAtMs));
        if (campaigns.length > 0) return { remembered, atMs, campaigns };
      }
      return null;
    },
    /** All proposals that a return of these pauses needs, including their latest successors and their members. */
    neededOf(profileId: string): ReadonlySet<string> {
      const ids = pausesOf(profileId).flatMap(({ pause, more, returns }) => [
        pause,
        ...more,
        ...returns.map(({ id }) => id),
      ]);
      return new Set(
        ids.flatMap((id) => [id, latestOf(id)?.id ?? id, ...partsOf(id).map((part) => part.id)]),
      );
    },
    notSent(profileId: string, { of, ended: known }: SkippedCampaigns): NotSent {
      const asked = pausesOf(profileId).flatMap(({ pause, more }) => (pause === of ? [pause, ...more] : []));
      const ended = asked.filter((id) => !known.includes(id) && hasEnded(id));
      return { ended, cids: ended.flatMap(partsOf).flatMap(cidsNotSent) };
    },
    waitingOf,
    waiting({ pause, more }: RememberedPause): WaitingPauses | null {
      const waiting = [pause, ...more].flatMap((id) => waitingOf(id) ?? []);
      if (waiting.length === 0) return null;
      return { ids: waiting.map(({ id }) => id), cids: new Set(waiting.flatMap(({ targets }) => targets)) };
    },
    withdrawAll(gate: Pick<Gate, 'withdraw'>, ids: readonly string[]): void {
      for (const id of ids) {
        const batch = proposals.find(id);
        const members = batch === null ? [] : memberIds(batch);
        for (const one of [...members, id]) if (waitingOf(one) !== null) gate.withdraw(one);
      }
    },
  };
}

const isSettled = ({ state }: ListedProposal): boolean => state !== 'unknown' && !isOpen(state);

export interface FollowUp extends NotSent {
  of: string | null;
  unlockedCids: number[];
}

const retryDelayMs = 5_000;

interface FollowUpOptions {
  clock: Pick<Clock, 'after'>;
  activeProfileId(): string;
  skipped(profileId: string): SkippedCampaigns | null;
  notSent(profileId: string, left: SkippedCampaigns): NotSent;
  busyCids(profileId: string): ReadonlySet<number>;
  /** Resolves with false if it failed; never rejects. */
  pause(profileId: string, followUp: FollowUp): Promise<boolean>;
}

/** Proposes the pause of each skipped campaign once, when the change in progress has settled. */
export function createFollowUps(options: FollowUpOptions): { scheduleCheck(): void; dispose(): void } {
  const { clock, activeProfileId, skipped, notSent, busyCids, pause } = options;
  let due: NodeJS.Immediate | null = null;
  let isAsking = false;
  let isDisposed = false;
  let cancelRetry = (): void => {};

  function next(profileId: string): FollowUp | null {
    const left = skipped(profileId);
    if (left === null) return null;
    const { ended, cids } = notSent(profileId, left);
    const all = [...new Set([...left.cids, ...cids])];
    const busy = all.length === 0 ? null : busyCids(profileId);
    const unlockedCids = all.filter((cid) => busy?.has(cid) !== true);
    return unlockedCids.length === 0 && ended.length === 0
      ? null
      : { of: left.of, ended, cids: all, unlockedCids };
  }

  async function sweep(): Promise<void> {
    due = null;
    const profileId = activeProfileId();
    const followUp = isAsking ? null : next(profileId);
    if (followUp === null) return;
    isAsking = true;
    cancelRetry();
    const isRecorded = await pause(profileId, followUp);
    isAsking = false;
    if (isDisposed) return;
    if (isRecorded) scheduleCheck();
    else cancelRetry = clock.after(retryDelayMs, scheduleCheck);
  }

  function scheduleCheck(): void {
    if (!isDisposed) due ??= setImmediate(() => void sweep());
  }

  return {
    scheduleCheck,
    dispose() {
      isDisposed = true;
      cancelRetry();
      if (due !== null) clearImmediate(due);
    },
  };
}
