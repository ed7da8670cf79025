import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { electronForThisFile } from '../servers/electron-runtime.ts';
import { programIn } from '../servers/packaged/packaged-app.ts';

const bed = electronForThisFile({ stagesApp: false });
const program = (): string => programIn(inject('packagedApp').shipped);

test.each(['--remote-debugging-port=0', '--inspect=0', '--no-sandbox'])(
  'a packaged app does not start with %s',
  async (refused) => {
    const userData = bed.newFolder();
    const { exitCode, complaints } = await bed.run({ program: program(), userData, args: [refused] });
    expect(exitCode).toBe(1);
    expect(complaints.join('\n')).toContain('Countersign does not start with --');
    expect(existsSync(join(userData, 'data/countersign.sqlite'))).toBe(false);
  },
);

test('a packaged app starts its core without a test driver, and quits normally when an installer asks', async () => {
  const userData = bed.newFolder();
  const running = bed.run({ program: program(), userData, timeoutMs: 120_000 });
  const log = join(userData, 'data/logs/countersign.log');
  const logged = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  await expect.poll(logged).toContain('The core is ready');
  const installer = await bed.run({ program: program(), userData, args: ['--quit-for-update'] });
  expect(installer.exitCode).toBe(0);
  expect((await running).exitCode).toBe(0);
  expect(logged()).toContain('The core has ended');
});
