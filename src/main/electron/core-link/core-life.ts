import type { AppRequest } from '#shared/app-api/index.ts';
import { AppError, type EncodedError, encodeError, decodeError } from '#shared/errors/index.ts';
import type { CoreState, HostMessage } from '#shared/host-api/index.ts';

const pausesMs = [300, 1_000, 3_000, 10_000] as const;

/** A core that was ready for this long has recovered: the next crash counts as the first. */
const recoveredAfterMs = 60_000;

export const startLimitMs = 30_000;

const endLimitMs = 5_000;

const quitLimitMs = 20_000;

function pauseAfter(crashes: number): number | null {
  return pausesMs[crashes - 1] ?? null;
}

type Outage = Omit<Extract<CoreState, { kind: 'restarting' }>, 'kind' | 'stopPending'>;

export type CoreLife =
  | { kind: 'idle' }
  /** A process runs and is not ready. `outage` is null during the first start, in which requests wait. */
  | { kind: 'starting'; crashes: number; outage: Outage | null }
  | { kind: 'ready'; crashes: number }
  | { kind: 'pausing'; crashes: number; outage: Outage }
  | { kind: 'stopped'; sinceMs: number; failure: EncodedError; hasProcess: boolean }
  /**
   * A person retried before the failed process had ended. The next process starts after that end, because there is never more
   * than one.
   */
  | { kind: 'clearing' }
  | { kind: 'quitting'; shown: CoreState }
  | { kind: 'gone'; shown: CoreState };

export function shownState(life: CoreLife): CoreState {
  switch (life.kind) {
    case 'idle':
    case 'clearing':
      return { kind: 'starting' };
    case 'starting':
      return life.outage === null ? { kind: 'starting' } : { kind: 'restarting', ...life.outage };
    case 'ready':
      return { kind: 'ready' };
    case 'pausing':
      return { kind: 'restarting', ...life.outage };
    case 'stopped':
      return { kind: 'stopped', sinceMs: life.sinceMs, failure: life.failure };
    case 'quitting':
    case 'gone':
      return life.shown;
  }
}

export function askMeans(life: CoreLife): 'send' | 'wait' | 'refuse' {
  if (life.kind === 'ready') return 'send';
  const isFirstStart = life.kind === 'starting' && life.outage === null;
  return isFirstStart || life.kind === 'idle' || life.kind === 'clearing' ? 'wait' : 'refuse';
}

export type LifeEvent =
  | { kind: 'wanted' }
  | { kind: 'ready' }
  | { kind: 'failed'; error: EncodedError }
  | { kind: 'exited' }
  | { kind: 'due' }
  | { kind: 'retry' }
  | { kind: 'quit' };

export type LifeEffect =
  | { kind: 'spawn' }
  | { kind: 'kill' }
  | { kind: 'say-quit' }
  /** Sets the only timer. Every change of state cancels it first. */
  | { kind: 'due-in'; ms: number }
  | { kind: 'send-waiting' }
  | { kind: 'refuse-waiting' }
  | { kind: 'refuse-all' };

interface LifeStep {
  life: CoreLife;
  effects: LifeEffect[];
}

export function stepLife(life: CoreLife, event: LifeEvent, nowMs: number): LifeStep {
  if (event.kind === 'quit') return stepQuit(life);
  switch (life.kind) {
    case 'idle':
      return event.kind === 'wanted' ? spawn({ crashes: 0, outage: null }) : stay(life);
    case 'starting':
    case 'ready':
      return stepRunning(life, event, nowMs);
    case 'pausing':
      return event.kind === 'due' ? spawn(life) : stay(life);
    case 'stopped':
      return stepStopped(life, event);
    case 'clearing':
      return event.kind === 'exited' ? spawn({ crashes: 0, outage: null }) : stay(life);
    case 'quitting':
      if (event.kind === 'exited') return gone(life.shown);
      return event.kind === 'due' ? { life, effects: [{ kind: 'kill' }] } : stay(life);
    case 'gone':
      return stay(life);
  }
}

type RunningCore = Extract<CoreLife, { kind: 'starting' | 'ready' }>;
type Stopped = Extract<CoreLife, { kind: 'stopped' }>;

const stay = (life: CoreLife): LifeStep => ({ life, effects: [] });

const gone = (shown: Extract<CoreLife, { kind: 'gone' }>['shown']): LifeStep => ({
  life: { kind: 'gone', shown },
  effects: [{ kind: 'refuse-all' }],
});

function spawn({ crashes, outage }: { crashes: number; outage: Outage | null }): LifeStep {
  return { life: { kind: 'starting', crashes, outage }, effects: [{ kind: 'spawn' }] };
}

function stepRunning(life: RunningCore, event: LifeEvent, nowMs: number): LifeStep {
  if (event.kind === 'failed') {
    return {
      life: { kind: 'stopped', sinceMs: nowMs, failure: event.error, hasProcess: true },
      effects: [{ kind: 'refuse-all' }, { kind: 'due-in', ms: endLimitMs }],
    };
  }
  if (event.kind === 'exited') return crashed(life, nowMs);
  if (life.kind === 'ready') {
    return event.kind === 'due' ? { life: { kind: 'ready', crashes: 0 }, effects: [] } : stay(life);
  }
  if (event.kind === 'ready') {
    return {
      life: { kind: 'ready', crashes: life.crashes },
      effects: [{ kind: 'send-waiting' }, { kind: 'due-in', ms: recoveredAfterMs }],
    };
  }
  // The process does not respond. Its exit counts as the crash.
  return event.kind === 'due' ? { life, effects: [{ kind: 'kill' }] } : stay(life);
}

function crashed(life: RunningCore, nowMs: number): LifeStep {
  const crashes = life.crashes + 1;
  const pauseMs = pauseAfter(crashes);
  if (pauseMs === null) {
    const failure = encodeError(new AppError('core_stopped_often'));
    return {
      life: { kind: 'stopped', sinceMs: nowMs, failure, hasProcess: false },
      effects: [{ kind: 'refuse-all' }],
    };
  }
  const sinceMs = life.kind === 'starting' ? (life.outage?.sinceMs ?? nowMs) : nowMs;
  return {
    life: {
      kind: 'pausing',
      crashes,
      outage: { sinceMs, attempt: crashes, nextTryAtMs: nowMs + pauseMs },
    },
    effects: [{ kind: 'refuse-all' }, { kind: 'due-in', ms: pauseMs }],
  };
}

function stepStopped(life: Stopped, event: LifeEvent): LifeStep {
  if (event.kind === 'exited') return { life: { ...life, hasProcess: false }, effects: [] };
  if (event.kind === 'due') return { life, effects: [{ kind: 'kill' }] };
  if (event.kind !== 'retry') return stay(life);
  if (!life.hasProcess) return spawn({ crashes: 0, outage: null });
  return { life: { kind: 'clearing' }, effects: [{ kind: 'kill' }] };
}

function stepQuit(life: CoreLife): LifeStep {
  if (life.kind === 'quitting' || life.kind === 'gone') return stay(life);
  const shown = shownState(life);
  const hasProcess =
    life.kind === 'stopped' ? life.hasProcess : life.kind !== 'idle' && life.kind !== 'pausing';
  if (!hasProcess) return gone(shown);
  return {
    life: { kind: 'quitting', shown },
    effects: [{ kind: 'refuse-waiting' }, { kind: 'say-quit' }, { kind: 'due-in', ms: quitLimitMs }],
  };
}

type AskInput = Omit<Extract<HostMessage, { kind: 'ask' }>, 'kind' | 'id'>;

interface Awaited {
  ask: AskInput;
  promise: Promise<unknown>;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

const isStop = ({ ask }: Pick<Awaited, 'ask'>): boolean =>
  ask.surface === 'app' && ask.name === ('emergencyStop.start' satisfies AppRequest);

/** Requests that await an answer. Ids are not reused, so late answers match nothing. Refusals are `core_unreachable`. */
export function createAsks(post: (message: HostMessage) => void) {
  const sent = new Map<number, Awaited>();
  let waiting: Awaited[] = [];
  let lastId = 0;

  function begin(ask: AskInput): Awaited {
    return { ask, ...Promise.withResolvers<unknown>() };
  }

  function dispatch(awaited: Awaited): Promise<unknown> {
    const id = (lastId += 1);
    sent.set(id, awaited);
    // An undefined input would drop its key in transit, and the message would be invalid.
    post({ kind: 'ask', id, ...awaited.ask, input: awaited.ask.input ?? null });
    return awaited.promise;
  }

  function take(id: number): Awaited | undefined {
    const awaited = sent.get(id);
    sent.delete(id);
    return awaited;
  }

  function refuseWaiting(keepsStop = false): void {
    const refused = waiting.filter((awaited) => !keepsStop || !isStop(awaited));
    waiting = waiting.filter((awaited) => !refused.includes(awaited));
    for (const { reject } of refused) reject(new AppError('core_unreachable'));
  }

  return {
    send: (ask: AskInput): Promise<unknown> => dispatch(begin(ask)),
    // A second emergency stop gets the answer of the first.
    wait(ask: AskInput): Promise<unknown> {
      const awaited = (isStop({ ask }) && waiting.find(isStop)) || begin(ask);
      if (!waiting.includes(awaited)) waiting.push(awaited);
      return awaited.promise;
    },
    isStopWaiting: (): boolean => waiting.some(isStop),
    sendWaiting(): void {
      const due = waiting.toSorted((one, other) => Number(isStop(other)) - Number(isStop(one)));
      waiting = [];
      for (const awaited of due) void dispatch(awaited);
    },
    answered: (id: number, output: unknown): void => take(id)?.resolve(output),
    refused: (id: number, error: EncodedError): void => take(id)?.reject(decodeError(error)),
    refuseWaiting,
    // With `keepsStop`, an emergency stop goes on waiting, because another core will start.
    refuseAll(keepsStop: boolean): void {
      refuseWaiting(keepsStop);
      const refused = [...sent.values()];
      sent.clear();
      for (const { reject } of refused) reject(new AppError('core_unreachable'));
    },
  };
}
