import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseProcess } from '#electron/core-link/core-process.ts';

const mainFolder = join('/app/out/main');
const here = { isPackaged: false, platform: 'linux', mainFolder, core: 'core.cjs' } as const;
const node = join('/app/node_modules/node/bin/node');
const utility = { kind: 'utility', file: join(mainFolder, 'core.cjs') };

test('the core runs in a process of Electron if the database binding loads there', () => {
  expect(chooseProcess({ ...here, loadsBinding: () => true })).toEqual(utility);
});

test('otherwise a checkout uses the Node of the toolchain, by its name on the system', () => {
  const choice = chooseProcess({ ...here, loadsBinding: () => false });
  expect(choice).toEqual({ kind: 'fork', file: join(mainFolder, 'core.cjs'), execPath: node });
  const onWindows = chooseProcess({ ...here, loadsBinding: () => false, platform: 'win32' });
  expect(onWindows).toMatchObject({ execPath: `${node}.exe` });
});

test('a package always runs its core in a process of Electron', () => {
  const loadsBinding = (): boolean => {
    throw new Error('asked');
  };
  expect(chooseProcess({ ...here, isPackaged: true, loadsBinding })).toEqual(utility);
});

test('training runs its own file in the same kind of process', () => {
  const choice = chooseProcess({ ...here, core: 'training-core.cjs', loadsBinding: () => true });
  expect(choice).toEqual({ kind: 'utility', file: join(mainFolder, 'training-core.cjs') });
});
