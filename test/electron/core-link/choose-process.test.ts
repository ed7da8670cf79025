import { expect, test } from 'vitest';
import { chooseProcess, refusedProcess } from '#electron/core-link/choose-process.ts';
import { AppError } from '#shared/errors/index.ts';

const here = { isPackaged: false, platform: 'linux', mainFolder: '/app/out/main', core: 'core.js' } as const;
const node = '/app/node_modules/node/bin/node';

test.each([
  ['24.15.0', false, { kind: 'utility', file: '/app/out/main/core.js' }],
  ['24.15.0', true, { kind: 'utility', file: '/app/out/main/core.js' }],
  ['22.14.0', true, { kind: 'utility', file: '/app/out/main/core.js' }],
  ['22.13.1', false, { kind: 'fork', file: '/app/out/main/core.js', execPath: node }],
  ['20.18.3', false, { kind: 'fork', file: '/app/out/main/core.js', execPath: node }],
  ['20.18.3', true, { kind: 'refused', error: { code: 'runtime_too_old' } }],
])('on Node %s, packaged: %s, the core runs as expected', (nodeVersion, isPackaged, choice) => {
  expect(chooseProcess({ ...here, nodeVersion, isPackaged })).toMatchObject(choice);
});

test('the toolchain’s Node has its own name on Windows', () => {
  const choice = chooseProcess({ ...here, nodeVersion: '20.18.3', platform: 'win32' });
  expect(choice).toMatchObject({ execPath: `${node}.exe` });
});

test('a refused process says why and is gone, in this order, whenever one listens', async () => {
  const process = refusedProcess(new AppError('runtime_too_old'));
  const heard: unknown[] = [];
  process.onMessage((message) => heard.push(message));
  process.send({ kind: 'quit' });
  const code = await new Promise((resolve) => process.onExit(resolve));
  expect(code).toBeNull();
  expect(heard).toMatchObject([{ kind: 'failed', error: { code: 'runtime_too_old' } }]);
});

test('training runs a file of its own beside the core’s, in the same kind of process', () => {
  const choice = chooseProcess({ ...here, core: 'training-core.js', nodeVersion: '24.15.0' });
  expect(choice).toEqual({ kind: 'utility', file: '/app/out/main/training-core.js' });
});
