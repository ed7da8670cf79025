import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastRunFile, type LastRun } from '../lib/run-record.ts';
import type { Check } from './check.ts';

/** The most seconds that a file of these projects may take in the recorded run. */
const budgetSeconds = 5;
const projects = new Set(['pure', 'core']);

/** Files that may take longer, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {};

/** Refuses a slow `pure` or `core` test file, by the last recorded run of `npm test` or `npm run test:all`. */
export const testBudgetCheck: Check = {
  name: 'time of test files',
  remedy: `Make the test faster, name it *.soak.test.ts, or give a reason in scripts/check/test-budget.ts.`,
  run(root) {
    const record = join(root, lastRunFile);
    if (!existsSync(record)) return { problems: [], notes: ['no run is recorded: npm test records one'] };
    const { files } = JSON.parse(readFileSync(record, 'utf8')) as LastRun;
    const slow = files.filter(
      ({ project, file, seconds }) =>
        projects.has(project) && seconds > budgetSeconds && !Object.hasOwn(exceptions, file),
    );
    return {
      problems: slow.map(({ file, seconds }) => `${file}: ${seconds} s; at most ${budgetSeconds}`),
      notes: [],
    };
  },
};
