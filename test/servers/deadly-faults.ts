import { createFaults, type Faults } from '#core/backend/index.ts';

/**
 * Faults of an embedded service that end the whole process with SIGKILL over its first PUT, before the answer leaves:
 * `before-stored` or `after-stored`, or `never`. Fails with any other word.
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
      throw new Error(`A process dies never, before-stored or after-stored; not ${when}`);
  }
  return faults;
}
