/**
 * The core's entry with a fault: `faulty-core.ts <fault>`. `slow` stores the first write at once and answers it when the core
 * is told to end. `deadly` kills itself after the write is stored and before it is answered. `exception` and `rejection` are
 * bugs outside of every handler.
 */
import { createFaults } from '#core/backend/index.ts';
import { runCoreProcess, type CoreOverrides } from '#core/host-link/index.ts';

/** Resolves when the host asks the core to quit or disconnects, or at a signal. */
function toldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['disconnect', 'SIGTERM', 'SIGINT']) process.once(event, () => resolve());
    process.on('message', (message) => {
      if (JSON.stringify(message) === JSON.stringify({ kind: 'quit' })) resolve();
    });
  });
}

const bug = new Error('an uncaught bug, token=pl4nted');

const wrongs: Record<string, CoreOverrides> = {
  slow: { faults: createFaults([{ kind: 'meanwhile', method: 'PUT', run: toldToEnd }]) },
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
