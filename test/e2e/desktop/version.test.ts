import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';
import { prepareDesktopSessions } from '../driver/desktop/sessions.ts';

const { startSession } = prepareDesktopSessions();

test('the app says its own version, not the one of Electron', async () => {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const { app } = await startSession();
  await app.until('first row');
  expect(await app.ask('session.get', {})).toMatchObject({ version, host: 'desktop' });
});
