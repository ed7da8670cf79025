import { expect, test } from 'vitest';
import { fileIdentity } from '#system/file-identity.ts';

const file = (dev: bigint, ino: bigint) => () => ({ dev, ino });

test('another file under the name is told', () => {
  const first = fileIdentity('x', { platform: 'linux', stat: file(1n, 2n) });
  expect(fileIdentity('x', { platform: 'linux', stat: file(1n, 2n) })).toBe(first);
  expect(fileIdentity('x', { platform: 'linux', stat: file(1n, 3n) })).not.toBe(first);
  expect(fileIdentity('x', { platform: 'darwin', stat: file(2n, 2n) })).not.toBe(first);
});

test.each([
  ['Windows, which numbers the files of some disks anew', 'win32', 7n],
  ['a file system without numbers', 'linux', 0n],
] as const)('numbers that change are no other file: %s', (_, platform, ino) => {
  const first = fileIdentity('x', { platform, stat: file(1n, ino) });
  const later = ino === 0n ? file(9n, 0n) : file(9n, 8n);
  expect(fileIdentity('x', { platform, stat: later })).toBe(first);
});

test.each(['win32', 'linux'] as const)('a file that is gone is told everywhere: %s', (platform) => {
  const there = fileIdentity('x', { platform, stat: file(1n, 2n) });
  expect(fileIdentity('x', { platform, stat: () => undefined })).toBe(null);
  expect(there).not.toBe(null);
});
