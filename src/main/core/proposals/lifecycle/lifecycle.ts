import { AppError } from '#shared/errors/index.ts';
import type { StoredProposal, AppStore } from '#core/store/app/index.ts';
import { isOpen } from '#shared/proposals/states.ts';
import type { Connections } from '#core/connections/index.ts';
import type { Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { LimitClock } from '#core/platform/limit-clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AppEvent } from '#shared/app-api/index.ts';
import type { Admissions } from '../operations/agent-admission.ts';
import type { Describe, Operations } from '../operations/operation.ts';
import { loadProposal } from '../operations/load-proposal.ts';
import { createOperations } from '../operations/kinds.ts';
import { createExpiry, type Expiry } from './expiry.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import { createUnrecorded, recover, type Unrecorded } from './recovery.ts';
import { createSettler, type Settler, createInFlightWindow, type InFlightWindow } from './settle-unknown.ts';
import { createWaitingTime, type WaitingTime } from './waiting-time.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** Tracks unfinished work, so that a shutdown can wait for it. */
export interface UnfinishedWork {
  /** Runs the work and passes its result on. Fails with `shutting_down` once the end has begun. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Fails with `shutting_down` once the end has begun. */
  assertTaking(): void;
  /** True once the end has begun: what can still be left out should be. */
  isEnding(): boolean;
  /** Takes no more work, and resolves when all that is under way has ended, in whatever way. */
  end(): Promise<void>;
}

export function createUnfinishedWork(): UnfinishedWork {
  const works = new Set<Promise<unknown>>();
  let ending = false;

  function assertTaking(): void {
    if (ending) throw new AppError('shutting_down');
  }

  return {
    async run(work) {
      assertTaking();
      const running = work();
      works.add(running);
      return running.finally(() => works.delete(running));
    },
    assertTaking,
    isEnding: () => ending,
    async end() {
      ending = true;
      await Promise.allSettled(works);
    },
  };
}

/** Notifies callers that wait for a proposal to settle, without polling. */
export interface SettledWaiter {
  /** Reports a proposal whose new state is on disk. */
  changed(id: string): void;
  /** Resolves with the settled proposal, or with its current state when the signal fires. Fails as `load` does. */
  untilSettled(id: string, signal: AbortSignal): Promise<StoredProposal>;
}

function createSettledWaiter(load: (id: string) => StoredProposal): SettledWaiter {
  const waiting = new Map<string, Set<() => void>>();

  function wait(id: string, look: () => void): () => void {
    const looks = waiting.get(id) ?? new Set();
    waiting.set(id, looks.add(look));
    return () => {
      looks.delete(look);
      if (looks.size === 0) waiting.delete(id);
    };
  }

  return {
    changed(id) {
      for (const look of waiting.get(id) ?? []) look();
    },
    async untilSettled(id, signal) {
      const proposal = load(id);
      if (!isOpen(proposal.state) || signal.aborted) return proposal;
      const { promise, resolve } = Promise.withResolvers<void>();
      const unsubscribe = wait(id, () => {
        if (!isOpen(load(id).state)) resolve();
      });
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
      unsubscribe();
      return load(id);
    },
  };
}

/** The records of all proposals, and what ends or settles them without a decision. */
export interface Lifecycle extends UnfinishedWork {
  journal: Journal;
  expiry: Expiry;
  unrecorded: Unrecorded;
  inFlight: InFlightWindow;
  settler: Settler;
  settled: SettledWaiter;
  waitingTime: WaitingTime;
  operations: Operations;
  /** Repairs the state after a crash and begins to settle what is unknown. Called once, at the start. */
  recover(): void;
}

export interface LifecycleOptions {
  store: AppStore;
  ledger: Ledger;
  connections: Pick<Connections, 'of'>;
  admissions: Admissions;
  /** Reads now if the service offers a tool with the definition that was pinned and reviewed. Fails as the read does. */
  isOfferedAsPinned(profileId: string, tool: { name: string; definitionHash: string }): Promise<boolean>;
  clock: Clock;
  limitClock: LimitClock;
  ids: Ids;
  logger: Logger;
  requestTimeoutMs: number;
  describe: Describe;
  /** Hides the showing of a proposal that has expired. */
  hide(id: string): void;
  emit(event: AppEvent): void;
  onProposalChanged(listener: (id: string) => void): void;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { store, ledger, connections, admissions, isOfferedAsPinned, clock, limitClock } = options;
  const { ids, logger, requestTimeoutMs, describe, hide, emit, formats } = options;
  const settled = createSettledWaiter((id) => loadProposal(store, id));
  options.onProposalChanged(settled.changed);
  const waitingTime = createWaitingTime({
    store,
    ledger,
    formats,
    onChange: () => emit({ kind: 'status.changed' }),
  });
  const journal = createJournal({
    store,
    ledger,
    clock,
    limitClock,
    ids,
    describe,
    emit,
    formats,
    waitingMs: () => waitingTime.minutes() * 60_000,
  });
  const operations = createOperations({
    store,
    connections,
    clock,
    admissions,
    isOfferedAsPinned,
    formats,
    endBatch: (batch, outcome) => journal.move(batch, 'done', { set: { outcome } }),
  });
  const unrecorded = createUnrecorded({ journal, logger });
  const inFlight = createInFlightWindow({ clock, requestTimeoutMs });
  const settler = createSettler({ store, journal, unrecorded, inFlight, clock, logger, operations });
  return {
    ...createUnfinishedWork(),
    journal,
    expiry: createExpiry({ store, journal, hide, clock, limitClock, logger }),
    unrecorded,
    inFlight,
    settler,
    settled,
    waitingTime,
    operations,
    recover() {
      for (const id of recover({ store, unrecorded, logger })) settler.watch(id);
    },
  };
}
