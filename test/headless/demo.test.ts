import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './folder.ts';
import { countersign, countersignOnTerminal, run } from './process.ts';

const question = 'Type approve or deny: ';
const escape = String.fromCharCode(27);

describe('the demo on a terminal', () => {
  test('walks an approved change from the campaign to a verified ledger', async () => {
    const dataFolder = temporaryFolder();
    const demo = countersignOnTerminal(['demo', '--data-folder', dataFolder]);
    const asked = await demo.until(question);
    expect(asked).toMatch(/Raise the bid of “.+” from \$[\d.]+ to \$[\d.]+/);
    expect(asked).toContain('AT RISK');
    expect(asked).toMatch(/What changes \(1 of \d+ fields\)/);
    demo.write('approve\n');
    expect(await demo.ended).toBe(0);
    expect(demo.text()).toContain('Stored as asked: every field was read back.');
    expect(demo.text()).toMatch(/Ledger verified: \d+ rows/);

    const verified = await run(['verify-ledger', dataFolder]);
    expect(verified).toMatchObject({ code: 0, text: expect.stringContaining('The ledger is verified.') });
  });

  test('sends nothing when denied, and the ledger says who denied it and where', async () => {
    const demo = countersignOnTerminal(['demo']);
    await demo.until(question);
    demo.write('deny\n');
    expect(await demo.ended).toBe(0);
    expect(demo.text()).toContain('Denied. Nothing was sent.');
    expect(demo.text()).toContain('(terminal)');
    expect(demo.text()).not.toContain('Stored as asked');
  });

  test('is not decided by Enter, by half a word, or by what was typed before the question stood there', async () => {
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
    expect(demo.text()).toContain('Denied. Nothing was sent.');
  });

  test('ends by Ctrl-C with nothing sent and the change withdrawn', async () => {
    const demo = countersignOnTerminal(['demo']);
    await demo.until(question);
    demo.write('\u0003');
    expect(await demo.ended).toBe(130);
    expect(demo.text()).toContain('Nothing was decided. Nothing was sent.');
  });

  test('speaks without colour when asked to', async () => {
    const demo = countersignOnTerminal(['demo'], { NO_COLOR: '1' });
    await demo.until(question);
    demo.write('deny\n');
    await demo.ended;
    expect(demo.text()).not.toContain(escape);
  });

  test('leaves no folder behind when it made its own', async () => {
    const home = temporaryFolder();
    const demo = countersignOnTerminal(['demo'], { TMPDIR: home });
    await demo.until(question);
    expect(readdirSync(home)).toHaveLength(1);
    demo.write('deny\n');
    await demo.ended;
    expect(readdirSync(home)).toEqual([]);
  });
});

test('without a terminal the demo says so and asks nobody', async () => {
  const demo = countersign(['demo']);
  demo.child.stdin?.end('approve\n');
  expect(await demo.ended).toBe(2);
  expect(demo.text()).toContain('needs a terminal');
});
