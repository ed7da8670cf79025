import type { Connections } from '#core/connections/index.ts';
import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { oncePerKey } from '#core/platform/serial-queue.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AppOutput, CampaignsToPause } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Freeze } from '../freeze.ts';
import { lastDone, neededFor, undecidedPause } from './earlier-pauses.ts';
import { createFollowUps, type LeftOut } from './follow-ups.ts';
import { createEmergencyStopMemory } from './memory.ts';
import { pauseRunning } from './pause.ts';
import { returnStatuses } from './resume.ts';
import {
  followUpEntry,
  frozenStill,
  emergencyStopEntry,
  type PauseResult,
  emergencyStopWords,
  type Reach,
} from './words.ts';

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
  gate: Pick<Gate, 'proposeStatus' | 'proposeSeveral' | 'review' | 'get' | 'withdraw'>;
  freeze: Pick<Freeze, 'freeze' | 'sinceMs'>;
  clock: Pick<Clock, 'after'>;
  logger: Logger;
  /** Names of the profiles that agents may use, without the one that is named. */
  othersWithAgents(profileId: string): string[];
  /** Brings a follow-up pause to the front: the user has not asked for it just now. */
  bringForward(id: string): Promise<unknown>;
  /** Called when the result of `get` may have changed. */
  onChange(): void;
}

type Pending = NonNullable<AppOutput<'emergencyStop.get'>['pending']>;

export function createEmergencyStop(options: EmergencyStopOptions): EmergencyStop {
  const { store, ledger, connections, gate, freeze, logger, othersWithAgents, bringForward } = options;
  const memory = createEmergencyStopMemory(store);
  const activeProfileId = (): string => connections.current().profile.id;
  const starting = oncePerKey<AppOutput<'emergencyStop.start'>>();
  const resuming = oncePerKey<AppOutput<'emergencyStop.resume'>>();
  /** Stops without a proposal: of which freeze, and how far they came. A later freeze is not theirs. */
  const unproposed = new Map<string, { kind: Exclude<Pending['kind'], 'waiting'>; sinceMs: number | null }>();
  const followUps = createFollowUps({
    ...options,
    activeProfileId,
    isFrozen: () => freeze.sinceMs() !== null,
    pause: followUp,
  });

  function reach(): Reach {
    const { id, name } = connections.current().profile;
    return { profile: name, elsewhere: othersWithAgents(id) };
  }

  function reached(profileId: string, kind: Exclude<Pending['kind'], 'waiting'> | null): void {
    if (kind === null) unproposed.delete(profileId);
    else unproposed.set(profileId, { kind, sinceMs: freeze.sinceMs() });
    options.onChange();
  }

  function pendingOf(profileId: string): Pending | null {
    const stop = unproposed.get(profileId);
    if (stop?.kind === 'preparing') return { kind: stop.kind };
    const id = undecidedPause(options, memory.pauses(profileId));
    if (id !== null) return { kind: 'waiting', id };
    const isOfThisFreeze = stop !== undefined && stop.sinceMs === freeze.sinceMs();
    return isOfThisFreeze ? { kind: stop.kind } : null;
  }

  function record(profileId: string, set: CampaignsToPause, result: PauseResult): void {
    store.transaction(() => {
      if (result.kind === 'prepared' && result.pause.id !== null && result.pause.isNew) {
        memory.addPause(profileId, result.pause.id);
      }
      ledger.append(emergencyStopEntry({ profileId, set }, result));
    });
  }

  async function prepare(profileId: string): Promise<{ id: string | null; say: string | null }> {
    const set = memory.set(profileId);
    const reaches = reach();
    reached(profileId, 'preparing');
    try {
      const pause = await pauseRunning(options, { set, pauses: memory.pauses(profileId) });
      record(profileId, set, { kind: 'prepared', pause });
      const of = pause.id === null ? null : (memory.pauses(profileId)[0]?.pause ?? null);
      followUps.leave(profileId, { of, cids: pause.locked });
      reached(profileId, pause.id === null && pause.locked.length > 0 ? 'locked' : null);
      return { id: pause.id, say: emergencyStopWords(reaches, set, pause) };
    } catch (failure) {
      reached(profileId, 'failed');
      if (!(failure instanceof AppError)) throw failure;
      record(profileId, set, { kind: 'failed', code: failure.code });
      throw frozenStill(failure);
    }
  }

  /** Pauses the campaigns that had a change under way when the stop was pressed, now that it is settled. */
  async function followUp(profileId: string, { of, cids }: LeftOut): Promise<readonly number[]> {
    // Until it is known what runs of them, all of them are asked for again.
    let again = cids;
    try {
      const set: CampaignsToPause = { kind: 'chosen', cids: [...cids] };
      const pause = await pauseRunning(options, { set, pauses: [] });
      again = pause.locked;
      const { id } = pause;
      if (id !== null || again.length === 0) reached(profileId, null);
      if (id === null) return again;
      store.transaction(() => {
        memory.addMore(profileId, of, id);
        ledger.append(followUpEntry(profileId, pause));
      });
      await bringForward(id);
    } catch (failure) {
      logger.warn({ failure, cids }, 'A pause of what an emergency stop had left out was not prepared');
    }
    return again;
  }

  return {
    neededOf: (profileId) => neededFor(options, memory.pauses(profileId)),
    get() {
      const profileId = activeProfileId();
      const done = lastDone(options, memory.pauses(profileId));
      return {
        set: memory.set(profileId),
        paused: done === null ? null : { atMs: done.atMs, campaigns: done.campaigns.length },
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
      return resuming(activeProfileId(), async () => {
        const id = await returnStatuses(options, memory);
        return { id, ...(await gate.review(id)) };
      });
    },
    look: followUps.look,
    dispose: async () => followUps.dispose(),
  };
}
