import { AppError, encodeError, type EncodedError } from '#shared/errors/index.ts';
import { endLimitMs, quitLimitMs, recoveredAfterMs, restAfter } from './back-off.ts';
import { shownState, type CoreLife, type Outage } from './core-life.ts';

/** What happens to a core, or is wanted of it. */
export type LifeEvent =
  | { kind: 'wanted' }
  | { kind: 'ready' }
  | { kind: 'failed'; error: EncodedError }
  /** The process is gone, however it ended. */
  | { kind: 'exited' }
  /** The time that the last step set is over. */
  | { kind: 'due' }
  | { kind: 'retry' }
  | { kind: 'quit' };

/** What is to be done about it, in this order. */
export type LifeEffect =
  /** A new process, told with what to start as soon as that is known. */
  | { kind: 'spawn' }
  | { kind: 'kill' }
  | { kind: 'say-quit' }
  /** The only timer there is; every change of life ends it first. */
  | { kind: 'due-in'; ms: number }
  | { kind: 'send-waiting' }
  | { kind: 'refuse-waiting' }
  | { kind: 'refuse-all' };

export interface LifeStep {
  life: CoreLife;
  effects: LifeEffect[];
}

/** The next step of a life. An event that means nothing at this point changes nothing: the same life comes back. */
export function stepLife(life: CoreLife, event: LifeEvent, nowMs: number): LifeStep {
  if (event.kind === 'quit') return stepQuit(life);
  switch (life.kind) {
    case 'idle':
      return event.kind === 'wanted' ? spawn({ crashes: 0, outage: null }) : stay(life);
    case 'starting':
    case 'ready':
      return stepRunning(life, event, nowMs);
    case 'resting':
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

type Running = Extract<CoreLife, { kind: 'starting' | 'ready' }>;
type Stopped = Extract<CoreLife, { kind: 'stopped' }>;

const stay = (life: CoreLife): LifeStep => ({ life, effects: [] });

const gone = (shown: Extract<CoreLife, { kind: 'gone' }>['shown']): LifeStep => ({
  life: { kind: 'gone', shown },
  effects: [{ kind: 'refuse-all' }],
});

function spawn({ crashes, outage }: { crashes: number; outage: Outage | null }): LifeStep {
  return { life: { kind: 'starting', crashes, outage }, effects: [{ kind: 'spawn' }] };
}

function stepRunning(life: Running, event: LifeEvent, nowMs: number): LifeStep {
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
  // It hangs. Its end is what counts as the crash.
  return event.kind === 'due' ? { life, effects: [{ kind: 'kill' }] } : stay(life);
}

function crashed(life: Running, nowMs: number): LifeStep {
  const crashes = life.crashes + 1;
  const restMs = restAfter(crashes);
  if (restMs === null) {
    const failure = encodeError(new AppError('core_stopped_often'));
    return {
      life: { kind: 'stopped', sinceMs: nowMs, failure, hasProcess: false },
      effects: [{ kind: 'refuse-all' }],
    };
  }
  const sinceMs = life.kind === 'starting' ? (life.outage?.sinceMs ?? nowMs) : nowMs;
  return {
    life: {
      kind: 'resting',
      crashes,
      outage: { sinceMs, attempt: crashes, nextTryAtMs: nowMs + restMs },
    },
    effects: [{ kind: 'refuse-all' }, { kind: 'due-in', ms: restMs }],
  };
}

function stepStopped(life: Stopped, event: LifeEvent): LifeStep {
  if (event.kind === 'exited') return { life: { ...life, hasProcess: false }, effects: [] };
  if (event.kind === 'due') return { life, effects: [{ kind: 'kill' }] };
  if (event.kind !== 'retry') return stay(life);
  if (!life.hasProcess) return spawn({ crashes: 0, outage: null });
  return { life: { kind: 'clearing' }, effects: [{ kind: 'kill' }] };
}

/** With a process: it is told, and ended when it does not hear. Without one there is nothing to wait for. */
function stepQuit(life: CoreLife): LifeStep {
  if (life.kind === 'quitting' || life.kind === 'gone') return stay(life);
  const shown = shownState(life);
  const hasProcess =
    life.kind === 'stopped' ? life.hasProcess : life.kind !== 'idle' && life.kind !== 'resting';
  if (!hasProcess) return gone(shown);
  return {
    life: { kind: 'quitting', shown },
    effects: [{ kind: 'refuse-waiting' }, { kind: 'say-quit' }, { kind: 'due-in', ms: quitLimitMs }],
  };
}
