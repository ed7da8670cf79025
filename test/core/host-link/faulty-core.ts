/**
 * The core's entry with something wrong in it: `faulty-core.ts <what>`. `slow` takes its time for the first write, `deadly`
 * kills itself when that is stored and not yet answered; `exception` and `rejection` are bugs that strike where no handler
 * waits for them.
 */
import { createFaults } from '#core/backend/index.ts';
import { runCoreProcess, type CoreOverrides } from '#core/host-link/index.ts';

const bug = new Error('an uncaught bug, token=pl4nted');

const wrongs: Record<string, CoreOverrides> = {
  slow: { faults: createFaults([{ kind: 'slow', method: 'PUT', ms: 700 }]) },
  deadly: {
    faults: createFaults([
      { kind: 'meanwhile', method: 'PUT', run: () => void process.kill(process.pid, 'SIGKILL') },
    ]),
  },
  exception: {
    onDemoService: () =>
      void setImmediate(() => {
        throw bug;
      }),
  },
  rejection: { onDemoService: () => void Promise.reject(bug) },
};

runCoreProcess({ overrides: wrongs[process.argv[2] ?? ''] ?? {} });
