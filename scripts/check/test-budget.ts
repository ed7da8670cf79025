import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastRunFile, type LastRun } from '../lib/run-record.ts';
import type { Check } from './check.ts';

const budgetSeconds = 5;
const projects = new Set(['pure', 'core']);

const exceptions: Readonly<Record<string, string>> = {
  'test/core/agents/emergency-stop.test.ts': 'Each stop reads a service to its last page, twice.',
  'test/core/backend/broken-storage.test.ts': 'The service looks at its database once a second.',
  'test/core/backend/fuzz.test.ts': 'Sends thousands of mutated requests.',
  'test/core/drafts/bulk/bulk-files.test.ts': 'Each file is read in a thread of its own.',
  'test/core/host-link/serve-host.test.ts': 'Each start of a core behind a link begins anew.',
  'test/core/mcp-server/sessions.test.ts':
    'An ending session waits two seconds for the answers of its calls.',
  'test/core/platform/loopback/listener.test.ts': 'Ninety raw requests, some of which end at a time limit.',
  'test/core/reports/alerts.test.ts': 'Each rule is checked against reports that a worker reads.',
  'test/core/reports/worker/report-worker.test.ts': 'Each test starts the thread of the reports.',
  'test/core/service-client/oauth/sign-in/sign-in.test.ts': 'A hundred sign-ins over HTTP.',
  'test/core/training/mission.test.ts': 'Plays missions from start to end.',
  'test/core/training/mission-events.test.ts': 'Plays missions from start to end.',
  'test/core/training/practice.test.ts': 'Each test opens a workspace of free practice.',
  'test/system/http/promises.test.ts': 'Every client waits for its deadline.',
};

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
