import { join } from 'node:path';
import { newFolder } from './starts.ts';
import { runOrFail, type Step, type Trial } from './trial.ts';

/**
 * Returns the steps, each with a keychain of its own on macOS. macOS distrusts programs without a signing identity: it would
 * ask a person if a second program found the first program's entry. Each step restores the user's keychains at its end.
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

/** Makes a keychain without a password the user's only keychain. Returns the function that undoes this. */
function takeKeychain(trial: Trial): () => void {
  const security = (...args: string[]): string => runOrFail(trial, 'security', args);
  // A user may have no keychain.
  const usual = namesIn(trial.run('security', ['default-keychain', '-d', 'user']).output);
  const searched = namesIn(security('list-keychains', '-d', 'user'));
  const own = join(newFolder(trial, 'keychain'), 'trial.keychain-db');
  const giveBack = (): void => {
    for (const ending of endings) process.off(ending, giveBackAndEnd);
    // Each command runs even if an earlier one failed. Deleting the keychain also removes it from both lists.
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
    // By default the keychain would lock itself while the app runs.
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

const namesIn = (output: string): string[] => [...output.matchAll(/"(.+)"/g)].map(([, name = '']) => name);
