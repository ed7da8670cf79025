import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { coreMessageSchema, type CoreMessage, type Surface } from '#shared/host-api/index.ts';
import type { Asking } from './scenario.ts';
import { eventually } from '#test/setup/eventually.ts';

/** A real core process whose host is the test. */
export interface CoreProcess extends Asking {
  child: ChildProcess;
  say(message: unknown): void;
  start(folder: string): void;
  /** Starts the core on the folder and waits until it is ready. */
  ready(folder: string): Promise<void>;
  /** Its exit code, or null after a signal, and its output on stderr. */
  ended: Promise<{ code: number | null; stderr: string }>;
}

const entry = new URL('../../../src/main/core/index.ts', import.meta.url);
const faultyEntry = new URL('./faulty-core.ts', import.meta.url);

/** Forks the core's own entry, or an entry with this fault. The process is killed when the test ends. */
export function forkCore(wrong?: 'slow' | 'deadly' | 'exception' | 'rejection'): CoreProcess {
  const program = wrong === undefined ? entry : faultyEntry;
  const child = fork(program, wrong === undefined ? [] : [wrong], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: CoreMessage[] = [];
  child.on('message', (message) => said.push(coreMessageSchema.parse(message)));
  // Messages to a killed process fail; the test does not depend on them.
  child.on('error', () => {});
  // A test may close its end of stderr.
  const stderr = child.stderr === null ? '' : text(child.stderr).catch(() => '');
  // Waits for `exit`, because `close` is never emitted after this side has disconnected.
  const ended = once(child, 'exit').then(async () => ({ code: child.exitCode, stderr: await stderr }));
  let asked = 0;

  const core: CoreProcess = {
    child,
    said,
    say: (message) => void child.send(message as object),
    start(dataFolder) {
      const dataKey = randomBytes(32).toString('base64');
      core.say({ kind: 'start', start: { dataFolder, version: '1.2.3', dataKey, demoCampaigns: 12 } });
    },
    async ready(folder) {
      core.start(folder);
      await eventually(() => expect(said[0]).toEqual({ kind: 'ready', setAside: [] }));
    },
    async output<T>(surface: Surface, name: string, input: unknown) {
      asked += 1;
      const id = asked;
      core.say({ kind: 'ask', id, surface, name, input });
      return eventually(() => {
        const reported = said.find((one) => 'id' in one && one.id === id);
        if (reported?.kind !== 'answer')
          throw new Error(`${name}: ${JSON.stringify(reported ?? 'no answer')}`);
        return reported.output as T;
      });
    },
    ended,
  };
  return core;
}
