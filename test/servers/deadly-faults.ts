import { createFaults, type Faults } from '#core/backend/index.ts';

/** When a process kills itself over its first PUT: never, before the service stored it, or after. */
export const deaths = ['never', 'before-stored', 'after-stored'] as const;

/**
 * Faults of an embedded service that end the whole process with SIGKILL over its first PUT, before the answer leaves.
 * Fails with a word that is none of {@link deaths}.
 */
export function deadlyFaults(when: string): Faults {
  const faults = createFaults();
  const die = (): void => void process.kill(process.pid, 'SIGKILL');
  switch (when) {
    case 'never':
      break;
    case 'before-stored': {
      // The request waits here, unread by the routes, and the process is gone before it would go on.
      faults.arm({ kind: 'slow', method: 'PUT', ms: 600_000 });
      const watch = setInterval(() => {
        if (faults.armed === 0) die();
      }, 10);
      watch.unref();
      break;
    }
    case 'after-stored':
      faults.arm({ kind: 'meanwhile', method: 'PUT', run: die });
      break;
    default:
      throw new Error(`A process dies ${deaths.join(', ')}; not ${when}`);
  }
  return faults;
}
