import { createFaults, type Faults } from '#core/backend/index.ts';

/**
 * Makes faults of an embedded service that kill the whole process with SIGKILL during its first PUT, before the answer is
 * sent: `before-stored`, `after-stored`, or `never`. Fails for any other word.
 */
export function deadlyFaults(when: string): Faults {
  const faults = createFaults();
  const die = (): void => void process.kill(process.pid, 'SIGKILL');
  switch (when) {
    case 'never':
      break;
    case 'before-stored': {
      // The request waits before it reaches the routes. The process is killed during this time.
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
