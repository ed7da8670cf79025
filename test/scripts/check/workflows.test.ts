import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workflowsCheck } from '../../../scripts/check/workflows.ts';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';
import { plantProject } from './planted-project.ts';

const file = '.github/workflows/ci.yml';
const real = readFileSync(join(projectRoot, file), 'utf8');

async function problemsOf(text: string): Promise<string[]> {
  return (await workflowsCheck.run(plantProject({ [file]: text }))).problems;
}

test('the workflows of this repository pass', async () => {
  expect((await workflowsCheck.run(projectRoot)).problems).toEqual([]);
});

test('a project without workflows passes', async () => {
  expect((await workflowsCheck.run(plantProject({}))).problems).toEqual([]);
});

test.each([
  [
    'an unknown key of a step',
    'persist-credentials: false\n',
    'persist-credentials: false\n        wiht: x\n',
    /wiht/,
  ],
  ['a variable that does not exist', 'github.ref }}', 'github.reff }}', /reff/],
  ['a runner that does not exist', 'ubuntu-22.04', 'ubuntu-7', /label "ubuntu-7" is unknown/],
  ['an action by its tag', /actions\/setup-node@\S+/g, 'actions/setup-node@v5', /not named by a commit/],
  ['an action without its version', / # v5\.0\.0\n/g, '\n', /not named by a commit/],
  ['a step that is a separate script', 'npm run ci -- unchanged', 'git diff --exit-code', /not one script/],
  ['a step with two commands', 'npm run ci -- unchanged', 'npm run ci && echo', /not one script/],
  ['a step of several lines', 'npm run ci -- unchanged', '|\n          npm run ci', /not one script/],
  ['a script that does not exist', 'npm run ci -- unchanged', 'npm run unchanged', /no script “unchanged”/],
  ['more rights than reading for every job', 'contents: read', 'contents: write', /without `permissions/],
  ['an exception that nothing needs any more', 'macos-15', 'macos-12', /No workflow needs the exception/],
])('%s is reported', async (_name, from, to, problem) => {
  const planted = real.replaceAll(from, to);
  expect(planted).not.toBe(real);
  expect(await problemsOf(planted)).toContainEqual(expect.stringMatching(problem));
});
