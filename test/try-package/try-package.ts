import type { Step, Trial } from './trial.ts';

type Outcome = { kind: 'passed' | 'failed' | 'not tried'; words: string };

/**
 * Runs the chosen steps one after the other and prints each result. `all` chooses every step and skips those that cannot run
 * here; a named step fails if it cannot. Resolves with an exit code.
 */
export async function tryPackage(
  steps: Readonly<Record<string, Step>>,
  chosen: readonly string[],
  say: (line: string) => void,
  trial: Trial,
): Promise<number> {
  const isAll = chosen.join() === 'all';
  const names = isAll ? Object.keys(steps) : chosen;
  const unknown = names.filter((name) => !Object.hasOwn(steps, name));
  if (unknown.length > 0) {
    say(`No step ${unknown.join(', ')}. Steps: ${Object.keys(steps).join(', ')}.`);
    return 2;
  }
  const outcomes: Outcome[] = [];
  for (const name of names) {
    const step = steps[name];
    if (step === undefined) continue;
    say(`${name}: ${step.does}`);
    const outcome = await tryStep(step, trial, isAll);
    say(`  ${outcome.kind}: ${outcome.words}`);
    outcomes.push(outcome);
  }
  const count = (kind: Outcome['kind']): number => outcomes.filter((one) => one.kind === kind).length;
  say(
    `${count('passed')} passed, ${count('failed')} failed, ${count('not tried')} not tried on ${trial.platform}.`,
  );
  return count('failed') > 0 || count('passed') === 0 ? 1 : 0;
}

async function tryStep(step: Step, trial: Trial, maySkip: boolean): Promise<Outcome> {
  const reason = step.notHere(trial);
  if (reason !== null) return { kind: maySkip ? 'not tried' : 'failed', words: reason };
  try {
    return { kind: 'passed', words: await step.run(trial) };
  } catch (failure) {
    return { kind: 'failed', words: failure instanceof Error ? failure.message : String(failure) };
  }
}
