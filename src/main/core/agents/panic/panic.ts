import type { Ledger } from '#core/ledger/index.ts';
import type { Connections } from '#core/connections/index.ts';
import type { Gate } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { AppOutput, PanicSet } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Freeze } from '../freeze.ts';
import { panicEntry, type PanicResult } from './entry.ts';
import { createPanicMemory } from './memory.ts';
import { lastDone } from './paused.ts';
import { pauseRunning } from './pause.ts';
import { returnStatuses } from './resume.ts';

/** One control that stops everything: agents are frozen, and one pause of a saved set waits for its confirmation. */
export interface Panic {
  get(): AppOutput<'panic.get'>;
  setCampaigns(set: PanicSet): void;
  /**
   * Agents are frozen before anything else happens, and stay frozen whatever fails afterwards. Fails as the reads and
   * the gate do, and says that the freeze stands.
   */
  start(): Promise<AppOutput<'panic.start'>>;
  /** Fails with `nothing_paused`, or as the reads and the gate do. Agents stay frozen. */
  resume(): Promise<AppOutput<'panic.resume'>>;
}

export interface PanicOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  connections: Pick<Connections, 'current'>;
  gate: Pick<Gate, 'proposeStatus' | 'proposeSeveral' | 'review' | 'get'>;
  freeze: Pick<Freeze, 'freeze'>;
}

export function createPanic(options: PanicOptions): Panic {
  const { store, ledger, connections, gate, freeze } = options;
  const memory = createPanicMemory(store);
  const inFront = (): string => connections.current().profile.id;
  const starting = oncePerKey<AppOutput<'panic.start'>>();
  const resuming = oncePerKey<AppOutput<'panic.resume'>>();

  function record(profileId: string, set: PanicSet, result: PanicResult): void {
    store.transaction(() => {
      if (result.kind === 'prepared' && result.pause.id !== null && result.pause.isNew) {
        memory.addPause(profileId, result.pause.id);
      }
      ledger.append(panicEntry({ profileId, set }, result));
    });
  }

  async function prepare(profileId: string): Promise<string | null> {
    const set = memory.set(profileId);
    try {
      const pause = await pauseRunning(options, { set, pauses: memory.pauses(profileId) });
      record(profileId, set, { kind: 'prepared', pause });
      return pause.id;
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      record(profileId, set, { kind: 'failed', code: failure.code });
      throw frozenStill(failure);
    }
  }

  return {
    get() {
      const profileId = inFront();
      const done = lastDone(options, memory.pauses(profileId));
      return {
        set: memory.set(profileId),
        paused: done === null ? null : { atMs: done.atMs, campaigns: done.targets.length },
      };
    },
    setCampaigns(set) {
      memory.choose(inFront(), set);
    },
    async start() {
      freeze.freeze();
      const profileId = inFront();
      return starting(profileId, async () => {
        const id = await prepare(profileId);
        return id === null ? { id, address: null } : { id, ...(await gate.review(id)) };
      });
    },
    async resume() {
      return resuming(inFront(), async () => {
        const id = await returnStatuses(options, memory);
        return { id, ...(await gate.review(id)) };
      });
    },
  };
}

/** Whoever asks while an answer is under way gets that one: two presses of a key are one wish. */
function oncePerKey<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const begun = work().finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}

function frozenStill(failure: AppError): AppError {
  const { code, message, fields, data } = failure;
  return new AppError(code, {
    message: `All agents are frozen. The pause of campaigns was not prepared: ${message}`,
    fields,
    data,
    cause: failure,
  });
}
