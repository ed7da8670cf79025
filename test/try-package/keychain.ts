import { join } from 'node:path';
import { newFolder } from './starts.ts';
import { runOrFail, type Step, type Trial } from './trial.ts';

/**
 * The same steps, each with a keychain of its own on macOS: programs without an identity are strangers to each other, so a second
 * one that found the entry of the first would make macOS ask a person. The keychains of the user come back at the end of each.
 */
export function withOwnKeychain(steps: Readonly<Record<string, Step>>): Record<string, Step> {
  const wrap = (step: Step): Step => ({
    ...step,
    async run(trial) {
      if (trial.platform !== 'darwin') return step.run(trial);
      const giveBack = takeKeychain(trial);
      try {
        return await step.run(trial);
      } finally {
        giveBack();
      }
    },
  });
  return Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, wrap(step)]));
}

/** Signals that end a run before its step is over. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Makes a keychain without a password the only one of this user. Returns what takes that back. */
function takeKeychain(trial: Trial): () => void {
  const security = (...args: string[]): string => runOrFail(trial, 'security', args);
  // A user may have none.
  const usual = namesIn(trial.run('security', ['default-keychain', '-d', 'user']).output);
  const searched = namesIn(security('list-keychains', '-d', 'user'));
  const own = join(newFolder(trial, 'keychain'), 'trial.keychain-db');
  const giveBack = (): void => {
    for (const ending of endings) process.off(ending, giveBackAndEnd);
    // Each is tried, whatever became of the one before. Deleting takes it off both lists as well.
    trial.run('security', ['default-keychain', '-d', 'user', '-s', ...usual]);
    trial.run('security', ['list-keychains', '-d', 'user', '-s', ...searched]);
    trial.run('security', ['delete-keychain', own]);
  };
  const giveBackAndEnd = (): never => {
    giveBack();
    process.exit(1);
  };
  for (const ending of endings) process.on(ending, giveBackAndEnd);
  try {
    security('create-keychain', '-p', '', own);
    // Without settings it would lock itself while the app runs.
    security('set-keychain-settings', own);
    security('unlock-keychain', '-p', '', own);
    security('list-keychains', '-d', 'user', '-s', own);
    security('default-keychain', '-d', 'user', '-s', own);
  } catch (failure) {
    giveBack();
    throw failure;
  }
  return giveBack;
}

/** The paths that `security` prints, each in quotes. */
const namesIn = (output: string): string[] => [...output.matchAll(/"(.+)"/g)].map(([, name = '']) => name);
