import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { SampleAgentView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type Connection, connect, createLogin, fetchWithOneRefresh } from './connection.ts';
import { pause, waitForRedirect, wordsOn } from './waiting-browser.ts';
import { type Activity, runScript } from './run.ts';
import type { Script } from './ideas.ts';

const sampleAgentName = 'Sample agent';

export interface SampleAgent extends AsyncDisposable {
  get(): SampleAgentView;
  /** Returns the current run if there is one. Fails with `demo_only` or `gateway_closed`. */
  start(): SampleAgentView;
  stop(): SampleAgentView;
}

export interface SampleAgentOptions {
  url(): string;
  isDemoActive(): boolean;
  /** True if the agent that was admitted as this OAuth client may call only Demo. */
  isAdmittedToDemo(clientId: string): boolean;
  script: Script;
  version: string;
  clock: Clock;
  logger: Logger;
  onChange(): void;
}

interface Running {
  activity: Activity;
  stop: AbortController;
  /** Resolves when everything is closed. Never fails. */
  over: Promise<void>;
}

export function createSampleAgent(options: SampleAgentOptions): SampleAgent {
  const { url, isDemoActive, clock, onChange } = options;
  let last: SampleAgentView = { state: 'off', steps: [] };
  let running: Running | null = null;

  const get = (): SampleAgentView => running?.activity.view() ?? last;

  function begin(address: string): Running {
    const activity = createActivity({ clock, onChange });
    const stop = new AbortController();
    const over = run(options, { address, activity, signal: stop.signal }).then(() => {
      last = activity.view();
      running = null;
    });
    return { activity, stop, over };
  }

  async function end(): Promise<void> {
    running?.stop.abort();
    await running?.over;
  }

  return {
    get,
    start() {
      if (running !== null) return get();
      if (!isDemoActive()) throw new AppError('demo_only');
      const address = url();
      if (address === '') throw new AppError('gateway_closed');
      running = begin(address);
      onChange();
      return get();
    },
    stop() {
      void end();
      return get();
    },
    dispose: end,
  };
}

function createActivity({ clock, onChange }: { clock: Clock; onChange(): void }): Activity {
  let view: SampleAgentView = { state: 'connecting', steps: [] };
  const change = (next: SampleAgentView): void => {
    view = next;
    onChange();
  };
  return {
    view: () => view,
    become(state) {
      if (state !== view.state) change({ ...view, state });
    },
    report(text, isGood = null) {
      change({ ...view, steps: [...view.steps, { atMs: clock.nowMs(), text, isGood }] });
    },
  };
}

interface Setting {
  address: string;
  activity: Activity;
  signal: AbortSignal;
}

/** Never fails; reports outcomes through `activity`. */
async function run(options: SampleAgentOptions, { address, activity, signal }: Setting): Promise<void> {
  const { clock, version, script, isAdmittedToDemo, logger } = options;
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const login = createLogin({
    name: sampleAgentName,
    openBrowser: (page, destination) =>
      waitForRedirect({
        address: page,
        destination,
        clock,
        signal: either,
        onWaiting: (waiting) => reportWaiting(waiting, activity),
      }),
    onGrantLost: () => ending.abort(new AppError('token_invalid')),
  });
  const connections: Connection[] = [];
  const line = {
    url: address,
    name: sampleAgentName,
    login,
    fetch: fetchWithOneRefresh(fetch),
    version,
    signal: either,
  };
  const another = async (): Promise<Connection> => {
    const connection = await connect(line);
    connections.push(connection);
    return connection;
  };
  let end: RunEnd['state'] = 'ended';
  try {
    activity.report(`Connects to Countersign as “${sampleAgentName}”.`);
    const first = await another();
    if (!isAdmittedToDemo(login.clientId())) throw new AppError('demo_only');
    activity.report('You allowed it.', true);
    activity.become('proposing');
    const wait = (ms: number): Promise<void> => pause(ms, { clock, signal: either });
    await runScript({ first, another, script, activity, wait });
  } catch (failure) {
    const ended = endOf(failure, signal);
    if (ended.state === 'failed') logger.warn({ failure }, 'The sample agent failed');
    activity.report(ended.text, ended.isGood);
    end = ended.state;
  }
  ending.abort();
  await Promise.all(connections.map((connection) => connection.close()));
  await login.signOut();
  activity.become(end);
}

function reportWaiting(page: string, activity: Activity): void {
  if (activity.view().state === 'waiting-for-you') return;
  activity.become('waiting-for-you');
  const words = wordsOn(page);
  activity.report(
    words === null
      ? 'Requests access. Review its request.'
      : `Requests access. Its page shows the words “${words}”: allow it only if the confirmation shows the same two.`,
  );
}

interface RunEnd {
  state: 'ended' | 'failed';
  text: string;
  isGood: boolean | null;
}

function endOf(failure: unknown, signal: AbortSignal): RunEnd {
  if (signal.aborted) {
    return { state: 'ended', text: 'Stopped by you. What still waited is withdrawn.', isGood: null };
  }
  if (!(failure instanceof AppError) || failure.code === 'token_invalid') {
    const text = 'The connection to Countersign ended. Look at the Agents page, then start it again.';
    return { state: 'failed', text, isGood: false };
  }
  if (failure.code === 'denied_by_person') {
    return { state: 'ended', text: 'Access was not granted. It stops.', isGood: false };
  }
  return { state: 'failed', text: `${failure.message} ${failure.next}`, isGood: false };
}
