import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findElectron } from '../../scripts/lib/find-electron.ts';
import { plantProject } from './check/planted-project.ts';
import { has } from '../servers/abilities.ts';

test.runIf(has.linux)('the runtime named by the environment is found with its version', () => {
  const folder = plantProject({ electron: '', version: 'v33.4.11\n' });
  expect(findElectron({ ELECTRON_OVERRIDE_DIST_PATH: folder })).toEqual({
    folder,
    executable: join(folder, 'electron'),
    version: '33.4.11',
  });
});

test('a named folder without a runtime is not replaced by another runtime', () => {
  const folder = plantProject({ version: '45.4.1' });
  expect(findElectron({ ELECTRON_OVERRIDE_DIST_PATH: folder })).toBeNull();
});
