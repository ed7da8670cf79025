import { isDeepStrictEqual } from 'node:util';
import type { AppEvent } from '#shared/app-api/index.ts';
import { AppError, fieldPath } from '#shared/errors/index.ts';
import {
  type CoreMessage,
  coreMessageSchema,
  type CoreStart,
  type CoreState,
  type HostMessage,
  type Display,
  type Surface,
} from '#shared/host-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { createListeners } from '#shared/lib/listeners.ts';
import type { DesktopLog } from '../platform/log.ts';
import {
  createAsks,
  askMeans,
  type CoreLife,
  type LifeEffect,
  type LifeEvent,
  shownState,
  startLimitMs,
  stepLife,
} from './core-life.ts';
import type { CoreProcess, StartCoreProcess } from './core-process.ts';

type HostWork = Extract<CoreMessage, { kind: 'open' | 'findProxy' | 'resetHost' }>;

export interface CoreSupervisor {
  state(): CoreState;
  onState(listener: (state: CoreState) => void): () => void;
  onEvent(listener: (event: AppEvent) => void): () => void;
  onShow(listener: (display: Display) => void): () => void;
  onHide(listener: (displayId: string) => void): () => void;
  setAside(): readonly string[];
  /** Starts the process immediately; it waits for the start message of `begin`. */
  preload(): void;
  begin(start: CoreStart): void;
  /** Waits during the first start and after `retry`. Fails with the core's `AppError` or `core_unreachable`. */
  ask(surface: Surface, name: string, input: unknown): Promise<unknown>;
  retry(): void;
  suspend(): void;
  resume(): void;
  /** Lets the core finish its write and end. Resolves when the process has exited; it is killed after 20 s. */
  quit(): Promise<void>;
}

export interface SupervisorOptions {
  startProcess: StartCoreProcess;
  log: DesktopLog;
  openAuthorization(address: string): Promise<boolean>;
  findProxy(origin: string): Promise<string>;
  /** Resets data outside the data folder. Resolves to the new data key in base64; null if it is unchanged. Never fails. */
  resetHost(): Promise<string | null>;
  nowMs(): number;
  after(delayMs: number, call: () => void): () => void;
}

/** Keeps one core running as `stepLife` decides. Validates every message with a schema, and ignores messages of an ended process. */
export function createSupervisor(options: SupervisorOptions): CoreSupervisor {
  const { startProcess, openAuthorization, findProxy, resetHost, log, nowMs, after } = options;
  const states = createListeners<CoreState>();
  const events = createListeners<AppEvent>();
  const shows = createListeners<Display>();
  const hides = createListeners<string>();
  const gone = Promise.withResolvers<void>();

  let life: CoreLife = { kind: 'idle' };
  let current: CoreProcess | null = null;
  const asks = createAsks((message) => current?.send(message));
  let start: CoreStart | null = null;
  let setAside: readonly string[] = [];
  let stopTimer = (): void => undefined;

  function take(event: LifeEvent): void {
    const before = life;
    const step = stepLife(life, event, nowMs());
    life = step.life;
    if (life !== before) stopTimer();
    for (const effect of step.effects) perform(effect);
    if (life.kind === 'gone') gone.resolve();
    if (isDeepStrictEqual(shownState(life), shownState(before))) return;
    logState(shownState(life), log);
    states.emit(shownNow());
  }

  function shownNow(): CoreState {
    const shown = shownState(life);
    const canWait = shown.kind === 'starting' || shown.kind === 'restarting';
    return canWait && asks.isStopWaiting() ? { ...shown, stopPending: true } : shown;
  }

  function perform(effect: LifeEffect): void {
    switch (effect.kind) {
      case 'spawn':
        return spawn();
      case 'kill':
        return current?.kill();
      case 'say-quit':
        // A core without a start has opened nothing, so it has nothing to finish.
        return start === null ? current?.kill() : current?.send({ kind: 'quit' });
      case 'due-in':
        return dueIn(effect.ms);
      case 'send-waiting':
        return asks.sendWaiting();
      case 'refuse-waiting':
        return asks.refuseWaiting();
      case 'refuse-all':
        return asks.refuseAll(life.kind === 'pausing');
      default:
        assertNever(effect);
    }
  }

  function dueIn(ms: number): void {
    stopTimer();
    stopTimer = after(ms, () => take({ kind: 'due' }));
  }

  function spawn(): void {
    const process = startProcess();
    current = process;
    process.onMessage((message) => {
      if (current !== process) return;
      const read = readCoreMessage(message, log);
      if (read !== null) receive(read);
    });
    process.onExit((code) => {
      if (current !== process) return;
      current = null;
      log.info({ code, life: life.kind }, 'The core process ended');
      take({ kind: 'exited' });
    });
    sayStart();
  }

  function sayStart(): void {
    if (start === null) return;
    current?.send({ kind: 'start', start });
    dueIn(startLimitMs);
  }

  function receive(message: CoreMessage): void {
    switch (message.kind) {
      case 'ready':
        ({ setAside } = message);
        return take({ kind: 'ready' });
      case 'failed':
        return take({ kind: 'failed', error: message.error });
      case 'answer':
        return asks.answered(message.id, message.output);
      case 'refusal':
        return asks.refused(message.id, message.error);
      case 'event':
        return events.emit(message.event);
      case 'show':
        return shows.emit(message.display);
      case 'hide':
        return hides.emit(message.displayId);
      case 'open':
      case 'findProxy':
      case 'resetHost':
        return void reply(message);
      default:
        assertNever(message);
    }
  }

  async function reply(asked: HostWork): Promise<void> {
    const asking = current;
    const answer = await workFor(asked);
    if (current === asking) asking?.send(answer);
  }

  async function workFor(asked: HostWork): Promise<HostMessage> {
    const { id } = asked;
    switch (asked.kind) {
      case 'open':
        return { kind: 'opened', id, opened: await openAuthorization(asked.address) };
      case 'findProxy': {
        const proxies = await findProxy(asked.origin).catch((failure: unknown) => {
          log.warn({ failure: String(failure) }, 'The system named no proxies');
          return null;
        });
        return { kind: 'proxyFound', id, proxies };
      }
      case 'resetHost': {
        const dataKey = await resetHost();
        // The next process must be able to read what this process seals.
        if (start !== null && dataKey !== null) start = { ...start, dataKey };
        return { kind: 'hostReset', id, dataKey };
      }
    }
  }

  return {
    state: shownNow,
    onState: states.add,
    onEvent: events.add,
    onShow: shows.add,
    onHide: hides.add,
    setAside: () => setAside,
    preload: () => take({ kind: 'wanted' }),
    begin(given) {
      const isFirst = start === null;
      start = given;
      if (life.kind === 'idle') take({ kind: 'wanted' });
      else if (isFirst && life.kind === 'starting') sayStart();
    },
    ask(surface, name, input) {
      const means = askMeans(life);
      if (means === 'refuse') return Promise.reject(new AppError('core_unreachable'));
      const hadStop = asks.isStopWaiting();
      const answer = asks[means]({ surface, name, input });
      if (!hadStop && asks.isStopWaiting()) states.emit(shownNow());
      return answer;
    },
    retry: () => take({ kind: 'retry' }),
    suspend: () => sayWhenReady('suspend'),
    resume: () => sayWhenReady('resume'),
    quit() {
      take({ kind: 'quit' });
      return gone.promise;
    },
  };

  function sayWhenReady(kind: 'suspend' | 'resume'): void {
    if (life.kind === 'ready') current?.send({ kind });
  }
}

function readCoreMessage(message: unknown, log: DesktopLog): CoreMessage | null {
  const parsed = coreMessageSchema.safeParse(message);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  log.warn(
    { code: issue?.code, path: issue && fieldPath(issue.path) },
    'The core said something unknown: dropped',
  );
  return null;
}

function logState(state: CoreState, log: DesktopLog): void {
  if (state.kind === 'stopped') log.warn({ code: state.failure.code }, 'The core stopped');
  else if (state.kind === 'restarting')
    log.warn({ attempt: state.attempt }, 'The core ended and starts again');
  else log.info({ state: state.kind }, 'The core changed its state');
}
