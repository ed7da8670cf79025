import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { startChild } from '#test/servers/child.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const program = new URL('./preparer.ts', import.meta.url);

async function run(folder: string, key: string, args: readonly string[]): Promise<string[]> {
  const child = startChild(program, [folder, key, ...args]);
  onTestFinished(() => child.kill());
  const lines = await child.rest();
  await child.ended;
  return lines;
}

test.each([
  { who: 'person', answers: 1, left: 'expired', again: ['again proposed'] },
  // The agent's call was open when the program ended, so the proposal is withdrawn. The first answer is the list of
  // tools, the second the prepared change.
  { who: 'agent', answers: 1, left: 'withdrawn', again: [] },
  { who: 'agent', answers: 2, left: 'withdrawn', again: [] },
])(
  'the proposal of the $who is $left if the app is killed after answer $answers of the service',
  async ({ who, answers, left, again }) => {
    const folder = tempFolder();
    const key = randomBytes(32).toString('hex');
    const first = await run(folder, key, [who, String(answers)]);
    expect(first).toHaveLength(1);
    expect(first).not.toContain('not killed');
    const [found = '', ...rest] = await run(folder, key, [who, '0']);
    expect(found).toMatch(new RegExp(`^left ${left} `));
    expect(found).not.toContain('Prepared by');
    expect(rest).toEqual(again);
  },
);
