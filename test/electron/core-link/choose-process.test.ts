import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseProcess } from '#electron/core-link/core-process.ts';

const mainFolder = join('/app/out/main');
const here = { isPackaged: false, platform: 'linux', mainFolder, core: 'core.cjs' } as const;
const node = join('/app/node_modules/node/bin/node');
const utility = { kind: 'utility', file: join(mainFolder, 'core.cjs') };

test('where the binding loads, the core runs in a process of Electron', () => {
  expect(chooseProcess({ ...here, loadsBinding: () => true })).toEqual(utility);
});

test('where it does not, a checkout borrows the Node of the toolchain, by its name on the system', () => {
  const choice = chooseProcess({ ...here, loadsBinding: () => false });
  expect(choice).toEqual({ kind: 'fork', file: join(mainFolder, 'core.cjs'), execPath: node });
  const onWindows = chooseProcess({ ...here, loadsBinding: () => false, platform: 'win32' });
  expect(onWindows).toMatchObject({ execPath: `${node}.exe` });
});

test('a package runs its core in a process of Electron alone, without asking', () => {
  const loadsBinding = (): boolean => {
    throw new Error('asked');
  };
  expect(chooseProcess({ ...here, isPackaged: true, loadsBinding })).toEqual(utility);
});

test('training runs a file of its own beside the core’s, in the same kind of process', () => {
  const choice = chooseProcess({ ...here, core: 'training-core.cjs', loadsBinding: () => true });
  expect(choice).toEqual({ kind: 'utility', file: join(mainFolder, 'training-core.cjs') });
});
