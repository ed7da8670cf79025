import { expect, test } from 'vitest';
import { type IdentityParts, watchIdentity } from '#system/network-place.ts';

type Found = { dev: bigint; ino: bigint } | undefined;

/** Compares the file that had a name first with the file that has the name now. */
function reported(first: Found, second: Found, place: Pick<IdentityParts, 'platform'> & { type?: string }) {
  let found = first;
  const { platform, type = null } = place;
  const identity = watchIdentity('x', { platform, stat: () => found, fileSystem: () => type });
  const before = identity();
  found = second;
  return { before, after: identity() };
}

const file = (dev: bigint, ino: bigint): Found => ({ dev, ino });

test.each([
  ['linux', undefined],
  ['darwin', 'apfs'],
  ['darwin', undefined],
] as const)('a file that replaced another one under its name is recognised: %s on %s', (platform, type) => {
  const place = { platform, ...(type !== undefined && { type }) };
  const same = reported(file(1n, 2n), file(1n, 2n), place);
  expect(same.after).toBe(same.before);
  for (const other of [file(1n, 3n), file(2n, 2n)]) {
    const { before, after } = reported(file(1n, 2n), other, place);
    expect(after).not.toBe(before);
  }
});

test.each([
  ['Windows, which renumbers the files of some disks', { platform: 'win32' }, file(9n, 8n)],
  ['exFAT on macOS, as an empty file grows', { platform: 'darwin', type: 'exfat' }, file(1n, 8n)],
  ['FAT on macOS, as an empty file grows', { platform: 'darwin', type: 'msdos' }, file(1n, 8n)],
] as const)('a file whose number changes still counts as the same file: %s', (_, place, later) => {
  const { before, after } = reported(file(1n, 7n), later, place);
  expect(after).toBe(before);
});

test('on a file system without file numbers the name alone identifies a file', () => {
  const { before, after } = reported(file(1n, 0n), file(9n, 0n), { platform: 'linux' });
  expect(after).toBe(before);
});

test.each([{ platform: 'win32' }, { platform: 'linux' }, { platform: 'darwin', type: 'exfat' }] as const)(
  'a deleted file is recognised on every system: %o',
  (place) => {
    const { before, after } = reported(file(1n, 2n), undefined, place);
    expect(before).not.toBe(null);
    expect(after).toBe(null);
  },
);
