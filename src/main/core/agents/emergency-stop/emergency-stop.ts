import type { Connections } from '#core/connections/index.ts';
import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { oncePerKey } from '#core/platform/work-queues.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AppOutput, CampaignsToPause } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Freeze } from '../freeze.ts';
import type { ReadProgress } from './campaigns.ts';
import { createReadEffects, lastDone, neededFor, notSent, undecidedPause } from './earlier-pauses.ts';
import { createFollowUps, type FollowUp } from './follow-ups.ts';
import { createEmergencyStopMemory, type LeftOut } from './memory.ts';
import { pauseRunning } from './pause.ts';
import { returnStatuses } from './resume.ts';
import {
  followUpEntry,
  frozenStill,
  emergencyStopEntry,
  type PauseResult,
  type PreparedPause,
  emergencyStopWords,
  type Reach,
} from './words.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** One control that stops everything: agents are frozen, and one pause of a saved set awaits confirmation. */
export interface EmergencyStop {
  get(): AppOutput<'emergencyStop.get'>;
  setCampaigns(set: CampaignsToPause): void;
  /**
   * Agents are frozen before anything else happens, and stay frozen whatever fails afterwards. Fails as the reads and
   * the gate do, and says that the freeze stands.
   */
  start(): Promise<AppOutput<'emergencyStop.start'>>;
  /** Fails with `nothing_paused`, or as the reads and the gate do. Agents stay frozen. */
  resume(): Promise<AppOutput<'emergencyStop.resume'>>;
  /** Proposals of this profile from which a pause may still be taken back. */
  neededOf(profileId: string): ReadonlySet<string>;
  /** Called when a proposal changed or another profile became active. */
  look(): void;
  dispose(): Promise<void>;
}

interface EmergencyStopOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  connections: Pick<Connections, 'current'>;
  gate: Pick<Gate, 'proposeStatus' | 'proposeSeveral' | 'review' | 'withdraw'>;
  freeze: Pick<Freeze, 'freeze' | 'sinceMs'>;
  clock: Pick<Clock, 'after' | 'monotonicMs'>;
  logger: Logger;
  /** Names of the profiles that agents may use, without the one that is named. */
  othersWithAgents(profileId: string): string[];
  /** Brings a follow-up pause to the front: the user has not asked for it just now. */
  bringForward(id: string): Promise<unknown>;
  /** Called when the result of `get` may have changed. */
  onChange(): void;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

type Pending = NonNullable<AppOutput<'emergencyStop.get'>['pending']>;

interface Unproposed {
  kind: 'preparing' | 'failed';
  sinceMs: number | null;
  /** Null while the number of running campaigns is not known. */
  progress: ReadProgress | null;
}

/** Interval at which the progress of the preparation is reported, in milliseconds. */
const progressEveryMs = 250;

export function createEmergencyStop(options: EmergencyStopOptions): EmergencyStop {
  const { store, ledger, connections, gate, freeze, logger, othersWithAgents, bringForward, formats } =
    options;
  const memory = createEmergencyStopMemory(store);
  const effectsOf = createReadEffects(store);
  const activeProfileId = (): string => connections.current().profile.id;
  const starting = oncePerKey<AppOutput<'emergencyStop.start'>>();
  const resuming = oncePerKey<AppOutput<'emergencyStop.resume'>>();
  /** Stops without a proposal: of which freeze, and how far they came. A later freeze is not theirs. */
  const unproposed = new Map<string, Unproposed>();
  /** How far the return of each profile's statuses has come. */
  const returning = new Map<string, ReadProgress>();
  const followUps = createFollowUps({
    clock: options.clock,
    activeProfileId,
    leftOut,
    notSent: (profileId, left) => notSent(options, memory.pauses(profileId), left),
    underWay: (profileId) => new Set(store.proposals.underWay(profileId).flatMap(({ targets }) => targets)),
    pause: followUp,
  });

  /** Campaigns that the stop of this freeze left out; null if there was none. A thaw ends what it promised, whatever freeze comes later. */
  function leftOut(profileId: string): LeftOut | null {
    const left = memory.leftOut(profileId);
    return left?.sinceMs === freeze.sinceMs() ? left : null;
  }

  function reach(): Reach {
    const { id, name } = connections.current().profile;
    return { profile: name, elsewhere: othersWithAgents(id) };
  }

  function reached(profileId: string, kind: 'preparing' | 'failed' | null): void {
    if (kind === null) unproposed.delete(profileId);
    else unproposed.set(profileId, { kind, sinceMs: freeze.sinceMs(), progress: null });
    options.onChange();
  }

  /** Keeps every progress, and reports it now and then. */
  function reported(keep: (progress: ReadProgress) => void): (progress: ReadProgress) => void {
    let reportedAtMs = Number.NEGATIVE_INFINITY;
    return (progress) => {
      keep(progress);
      const nowMs = options.clock.monotonicMs();
      if (nowMs - reportedAtMs < progressEveryMs) return;
      reportedAtMs = nowMs;
      options.onChange();
    };
  }

  function pendingOf(profileId: string): Pending | null {
    const stop = unproposed.get(profileId);
    if (stop?.kind === 'preparing') return { kind: stop.kind, progress: stop.progress };
    const id = undecidedPause(options, memory.pauses(profileId));
    if (id !== null) return { kind: 'waiting', id };
    if (stop !== undefined && stop.sinceMs === freeze.sinceMs()) return { kind: 'failed' };
    const left = leftOut(profileId);
    return left?.of === null && left.cids.length > 0 ? { kind: 'locked' } : null;
  }

  function record(profileId: string, set: CampaignsToPause, result: PauseResult): void {
    store.transaction(() => {
      if (result.kind === 'prepared') {
        const { id, isNew, locked } = result.pause;
        if (id !== null && isNew) memory.addPause(profileId, id);
        leave(profileId, id === null ? null : (memory.pauses(profileId)[0]?.pause ?? null), locked);
      }
      ledger.append(emergencyStopEntry({ profileId, set }, result, formats()));
    });
  }

  /** In place of what the stop before left out. */
  function leave(profileId: string, of: string | null, cids: readonly number[]): void {
    const sinceMs = freeze.sinceMs();
    const before = leftOut(profileId);
    const ended = before?.of === of ? (before?.ended ?? []) : [];
    if (sinceMs !== null) memory.leave(profileId, { sinceMs, of, cids: [...cids], ended });
  }

  function onProgressOf(profileId: string): (progress: ReadProgress) => void {
    return reported((progress) => {
      const stop = unproposed.get(profileId);
      if (stop?.kind === 'preparing') unproposed.set(profileId, { ...stop, progress });
    });
  }

  async function resume(profileId: string): Promise<AppOutput<'emergencyStop.resume'>> {
    const onProgress = reported((progress) => returning.set(profileId, progress));
    try {
      const id = await returnStatuses({ ...options, effectsOf, onProgress }, memory);
      return { id, ...(await gate.review(id)) };
    } finally {
      returning.delete(profileId);
      options.onChange();
    }
  }

  async function prepare(profileId: string): Promise<{ id: string | null; say: string | null }> {
    const set = memory.set(profileId);
    const reaches = reach();
    reached(profileId, 'preparing');
    try {
      const left = leftOut(profileId)?.cids ?? [];
      const pause = await pauseRunning(
        { ...options, onProgress: onProgressOf(profileId) },
        { set, pauses: memory.pauses(profileId), leftOut: left },
      );
      record(profileId, set, { kind: 'prepared', pause });
      reached(profileId, null);
      // A change of what was left out may have been settled before that was known.
      followUps.look();
      return { id: pause.id, say: emergencyStopWords(reaches, set, pause, formats()) };
    } catch (failure) {
      reached(profileId, 'failed');
      if (!(failure instanceof AppError)) throw failure;
      record(profileId, set, { kind: 'failed', code: failure.code });
      throw frozenStill(failure);
    }
  }

  /** Pauses the campaigns that had a change under way when the stop was pressed, now that it is settled. */
  async function followUp(profileId: string, asked: FollowUp): Promise<boolean> {
    const { of, free } = asked;
    try {
      const set: CampaignsToPause = { kind: 'chosen', cids: free };
      const pause = free.length === 0 ? null : await pauseRunning(options, { set, pauses: [], leftOut: [] });
      const id = pause?.id ?? null;
      store.transaction(() => {
        keepLeft(profileId, asked, { id, locked: pause?.locked ?? [] });
        if (pause === null || id === null) return;
        memory.addMore(profileId, of, id);
        ledger.append(followUpEntry(profileId, pause, formats()));
      });
      options.onChange();
      if (id !== null) void show(id);
      return true;
    } catch (failure) {
      logger.warn({ failure, cids: free }, 'A pause of what an emergency stop had left out was not prepared');
      return false;
    }
  }

  /** The next follow-up does not wait for it: a host may show for as long as a person looks. */
  async function show(id: string): Promise<void> {
    try {
      await bringForward(id);
    } catch (failure) {
      logger.warn({ failure, proposal: id }, 'A pause of what an emergency stop had left out was not shown');
    }
  }

  /** Keeps what has to be asked for still; unless another stop has put something in its place. */
  function keepLeft(
    profileId: string,
    { of, ended, cids, free }: FollowUp,
    { id, locked }: Pick<PreparedPause, 'id' | 'locked'>,
  ): void {
    const left = leftOut(profileId);
    if (left === null || left.of !== of) return;
    const isOver = (cid: number): boolean => free.includes(cid) && !locked.includes(cid);
    const still = [...new Set([...left.cids, ...cids])].filter((cid) => !isOver(cid));
    memory.leave(profileId, { ...left, of: of ?? id, cids: still, ended: [...left.ended, ...ended] });
  }

  followUps.look();
  return {
    neededOf: (profileId) => neededFor(options, memory.pauses(profileId)),
    get() {
      const profileId = activeProfileId();
      const done = lastDone({ store, effectsOf }, memory.pauses(profileId));
      return {
        set: memory.set(profileId),
        paused: done === null ? null : { atMs: done.atMs, campaigns: done.campaigns.length },
        resuming: returning.get(profileId) ?? null,
        pending: pendingOf(profileId),
        ...reach(),
      };
    },
    setCampaigns(set) {
      memory.choose(activeProfileId(), set);
    },
    async start() {
      freeze.freeze();
      const profileId = activeProfileId();
      return starting(profileId, async () => {
        const { id, say } = await prepare(profileId);
        return id === null ? { id, address: null, say } : { id, ...(await gate.review(id)), say };
      });
    },
    async resume() {
      const profileId = activeProfileId();
      return resuming(profileId, () => resume(profileId));
    },
    look: followUps.look,
    dispose: async () => followUps.dispose(),
  };
}
