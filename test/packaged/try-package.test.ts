import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { electronForThisFile } from '../servers/electron-runtime.ts';

const bed = electronForThisFile();

test('the steps of npm run try-package that need no other system pass for the packaged app', async () => {
  bed.stage(join(projectRoot, 'scripts'), 'scripts');
  bed.stage(join(projectRoot, 'test/servers/stored-rows.ts'), 'test/servers/stored-rows.ts');
  const command = join(bed.stage(join(projectRoot, 'test/try-package'), 'test/try-package'), 'index.ts');
  const steps = ['start', 'second-start', 'name', 'reserved-port', 'install-over'];
  const { lines, exitCode } = await bed.runNode([command, ...steps, '--app', inject('packagedApp').shipped], {
    timeoutMs: 240_000,
  });
  expect(lines.at(-1)).toBe('5 passed, 0 failed, 0 not tried on linux.');
  expect(exitCode).toBe(0);
}, 260_000);
