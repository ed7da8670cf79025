import { expect, test } from 'vitest';
import { coreEnvironment } from '#electron/core-link/core-process.ts';

test('a core gets its home, its language and its folders', () => {
  const given = {
    HOME: '/h',
    LANG: 'de_DE',
    LC_ALL: 'C',
    TZ: 'UTC',
    XDG_DATA_HOME: '/d',
    TMPDIR: '/t',
    PATH: '/b',
  };
  expect(coreEnvironment(given)).toEqual(given);
});

test('names of variables on Windows are recognised in any case', () => {
  const given = { SystemRoot: 'C:\\Windows', Path: 'C:\\bin', windir: 'C:\\Windows' };
  expect(coreEnvironment(given)).toEqual(given);
});

test.each([
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'NODE_PATH',
  'ELECTRON_RUN_AS_NODE',
  'ELECTRON_OVERRIDE_DIST_PATH',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'GITHUB_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'COUNTERSIGN_ANYTHING',
])('%s is not passed on to a core', (name) => {
  expect(coreEnvironment({ [name]: 'x', HOME: '/h' })).toEqual({ HOME: '/h' });
});

test('a variable without a value is not passed on', () => {
  expect(coreEnvironment({ HOME: undefined })).toEqual({});
});
