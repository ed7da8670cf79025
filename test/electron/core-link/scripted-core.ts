import { createSupervisor, type CoreSupervisor } from '#electron/core-link/supervisor.ts';
import type { CoreProcess } from '#electron/core-link/core-process.ts';
import type { CoreMessage, CoreState, HostMessage } from '#shared/host-api/index.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';

/** A core process that says what a test tells it to. */
export interface ScriptedCore extends CoreProcess {
  /** Messages from the host, in order. */
  heard: HostMessage[];
  /** How often the host wanted it ended; it ends when the test says so. */
  kills: number;
  says(message: CoreMessage): void;
  /** Says something that may be no message at all. */
  babbles(message: unknown): void;
  exits(code: number | null): void;
}

/** A supervisor over scripted cores, on a clock that the test moves. */
export interface Stage {
  supervisor: CoreSupervisor;
  clock: ManualClock;
  /** Every process that was started, the living one last. */
  cores: ScriptedCore[];
  /** The living one. */
  core(): ScriptedCore;
  /** Every state that was told, in order. */
  reported: CoreState[];
  /** Messages logged as warnings. */
  warnings: string[];
}

export const start = { dataFolder: '/data', version: '1.2.3', dataKey: 'AAAA' };

export const ready: CoreMessage = { kind: 'ready', setAside: [] };

/** `browser` takes the authorization addresses of the cores, `findProxy` knows the proxies of an origin. */
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

/** The same, with a core that has become ready. */
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
