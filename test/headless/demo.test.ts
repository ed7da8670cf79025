import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { has } from '#test/servers/abilities.ts';
import { temporaryFolder } from './folder.ts';
import { countersign, countersignOnTerminal, programOnTerminal, run } from './process.ts';
import { eventually } from '#test/setup/eventually.ts';

const question = 'Type approve or deny: ';
const why = 'Enter gives no reason: ';
const escape = String.fromCharCode(27);

describe.runIf(has.linux)('the demo on a terminal', () => {
  test('admits the agent, asks about each of its changes, and ends with a verified ledger', async () => {
    const dataFolder = temporaryFolder();
    const demo = countersignOnTerminal(['demo', '--data-folder', dataFolder], { NO_COLOR: '1' });
    expect(await demo.until(question)).toContain('Let “Sample agent” propose changes to');
    // The agent prints its intention before the confirmation, and the answer after it.
    expect(demo.text()).toContain('Requests access');
    demo.write('approve\n');
    const asked = await demo.until(question, 2);
    expect(asked).toContain('Access granted.');
    expect(asked).not.toMatch(/Reading the campaign once more|About to send/);
    expect(asked).toMatch(/payload: \d+ values; their changes are listed above/);
    expect(asked).toMatch(/Lower the bid of “.+” from \$[\d.]+ to \$[\d.]+/);
    expect(asked).toContain('AT RISK');
    expect(asked).toMatch(/What changes \(1 of \d+ fields\)/);
    expect(asked).toMatch(/“Sample agent” \(agent\) says: “.+”/);
    demo.write('approve\n');
    await demo.until(question, 3);
    expect(demo.text()).toContain('Saved and verified.');
    demo.write('deny\n');
    await demo.until(why);
    demo.write('A slipped decimal point\n');
    await demo.until(question, 4);
    demo.write('deny\n');
    await demo.until(why, 2);
    demo.write('\n');
    expect(await demo.ended).toBe(0);
    expect(demo.text()).toContain('Your reason: “A slipped decimal point”');
    expect(demo.text()).toContain('Denied. Nothing was sent.');
    expect(demo.text()).toContain('agent ✗ You denied:');
    expect(demo.text()).toContain('Finished: asked for 3 changes, you approved 1 and denied 2.');
    expect(demo.text()).toContain('Admitted: Let “Sample agent” propose changes');
    expect(demo.text()).toMatch(/Denied: .+ \(terminal\)/);
    expect(demo.text()).toMatch(/Ledger verified: \d+ rows/);
    expect(demo.text()).not.toContain(escape);

    const verified = await run(['verify-ledger', dataFolder]);
    expect(verified).toMatchObject({ code: 0, text: expect.stringContaining('The ledger is verified.') });
  });

  test('decides nothing on Enter, on half a word, or on keys typed before the question', async () => {
    const demo = countersignOnTerminal(['demo']);
    await demo.until('fingerprint');
    demo.write('approve\n');
    await demo.until(question);
    demo.write('\n');
    await demo.until(question, 2);
    demo.write('app\n');
    await demo.until(question, 3);
    demo.write('deny\n');
    expect(await demo.ended).toBe(0);
    expect(demo.text()).toContain('Denied. It has no access.');
    expect(demo.text()).toContain('Access was not granted. It stops.');
  });

  test.each([
    ['before anything was decided', [], 'Nothing was decided. Nothing was sent.'],
    ['with changes that wait', ['approve\n'], 'The agent is ended, and its waiting changes are withdrawn.'],
  ])('ends on Ctrl-C %s and leaves no folder', async (_when, answers, said) => {
    const home = temporaryFolder();
    const demo = countersignOnTerminal(['demo'], { TMPDIR: home });
    await demo.until(question);
    expect(readdirSync(home)).toHaveLength(1);
    for (const answer of answers) demo.write(answer);
    await demo.until(question, 1 + answers.length);
    demo.write('\u0003');
    expect(await demo.ended).toBe(130);
    expect(demo.text()).toContain(said);
    expect(readdirSync(home)).toEqual([]);
  });

  test('ends in order if its terminal is closed', async () => {
    const [code, said] = ['code', 'said'].map((name) => join(temporaryFolder(), name));
    const shell = ['sh', '-c', `trap "" HUP; "$@" 2>${said}; echo $? >${code}`, 'sh'];
    const demo = programOnTerminal(shell, ['demo']);
    await demo.until(question);
    demo.child.kill('SIGKILL');
    await eventually(() => expect(readFileSync(code!, 'utf8')).toBe('0\n'));
    expect(readFileSync(said!, 'utf8')).toBe('');
  });
});

test('without a terminal reports that and asks nothing', async () => {
  const demo = countersign(['demo']);
  demo.child.stdin?.end('approve\n');
  expect(await demo.ended).toBe(2);
  expect(demo.text()).toContain('needs a terminal');
});
