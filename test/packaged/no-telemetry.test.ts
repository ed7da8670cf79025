import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { electronForThisFile } from '../servers/electron-runtime.ts';
import { programIn } from '../servers/packaged/packaged-app.ts';
import { requireTool } from '../servers/require-tool.ts';
import { addressesIn, tracedCalls } from '../servers/traced-addresses.ts';

const bed = electronForThisFile({ stagesApp: false });

test('from start to quit the app connects only to the loopback address, and to no name server', async () => {
  const program = programIn(inject('packagedApp').shipped);
  const [folder, userData] = [bed.newFolder(), bed.newFolder()];
  const trace = join(folder, 'trace');
  const traced = join(folder, 'traced');
  writeFileSync(
    traced,
    `#!/bin/sh\nexec ${requireTool('strace')} --follow-forks --trace=${tracedCalls} --output='${trace}' '${program}' "$@"\n`,
  );
  chmodSync(traced, 0o755);
  chmodSync(folder, 0o777);
  const running = bed.run({ program: traced, userData, timeoutMs: 240_000 });
  const log = join(userData, 'data/logs/desktop.log');
  await expect
    .poll(() => (existsSync(log) ? readFileSync(log, 'utf8') : ''))
    .toContain('The first campaigns are painted');
  await bed.run({ program, userData, args: ['--quit-for-update'] });
  expect((await running).exitCode).toBe(0);
  expect(addressesIn(readFileSync(trace, 'utf8'))).toEqual(['127.0.0.1']);
});
