import { createSupervisor, type CoreSupervisor } from '#electron/core-link/supervisor.ts';
import type { CoreProcess } from '#electron/core-link/core-process.ts';
import type { CoreMessage, CoreState, HostMessage } from '#shared/host-api/index.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';

/** A core process that sends the messages that a test determines. */
export interface ScriptedCore extends CoreProcess {
  /** Messages from the host, in order. */
  heard: HostMessage[];
  /** How often the host tried to end the process. The process ends only when the test lets it. */
  kills: number;
  says(message: CoreMessage): void;
  /** Sends a value that may be no valid message. */
  babbles(message: unknown): void;
  exits(code: number | null): void;
}

/** A supervisor with scripted cores, on a manual clock. */
export interface Stage {
  supervisor: CoreSupervisor;
  clock: ManualClock;
  /** Every process that was started; the running process is the last. */
  cores: ScriptedCore[];
  /** Returns the running process. */
  core(): ScriptedCore;
  /** Every reported state, in order. */
  reported: CoreState[];
  /** Messages logged as warnings. */
  warnings: string[];
}

export const start = { dataFolder: '/data', version: '1.2.3', dataKey: 'AAAA' };

export const ready: CoreMessage = { kind: 'ready', setAside: [] };

/** Creates a stage. `browser` gets the authorization addresses of the cores; `findProxy` returns the proxies of an origin. */
export function createStage(
  browser = async (_address: string): Promise<boolean> => false,
  findProxy = async (_origin: string): Promise<string> => 'DIRECT',
  resetHost = async (): Promise<string | null> => null,
): Stage {
  const clock = createManualClock(1_000_000);
  const cores: ScriptedCore[] = [];
  const reported: CoreState[] = [];
  const warnings: string[] = [];
  const supervisor = createSupervisor({
    openAuthorization: (address) => browser(address),
    findProxy,
    resetHost,
    startProcess() {
      const core = createScriptedCore();
      cores.push(core);
      return core;
    },
    log: {
      info: () => undefined,
      warn: (facts, message) => warnings.push(`${message} ${JSON.stringify(facts)}`),
    },
    nowMs: clock.nowMs,
    after: clock.after,
  });
  supervisor.onState((state) => reported.push(state));
  const core = (): ScriptedCore => {
    const last = cores.at(-1);
    if (last === undefined) throw new Error('No process was started');
    return last;
  };
  return { supervisor, clock, cores, core, reported, warnings };
}

/** Creates a stage whose core is ready. */
export function createReadyStage(): Stage {
  const stage = createStage();
  stage.supervisor.preload();
  stage.supervisor.begin(start);
  stage.core().says(ready);
  return stage;
}

function createScriptedCore(): ScriptedCore {
  const messageListeners: ((message: unknown) => void)[] = [];
  const exitListeners: ((code: number | null) => void)[] = [];
  const babbles = (message: unknown): void => {
    for (const listener of messageListeners) listener(message);
  };
  const core: ScriptedCore = {
    heard: [],
    kills: 0,
    send: (message) => void core.heard.push(message),
    onMessage: (listener) => void messageListeners.push(listener),
    onExit: (listener) => void exitListeners.push(listener),
    kill: () => void (core.kills += 1),
    says: babbles,
    babbles,
    exits(code) {
      for (const listener of exitListeners) listener(code);
    },
  };
  return core;
}
