import { describe, expect, test } from 'vitest';
import { restrictFolder } from '#system/claim-folder.ts';

const person = 'S-1-5-21-1004336348-1177238915-682003330-512';

/** A system on which `links` lead to other paths, and every other path resolves to itself. */
function windows(
  fails: string | null = null,
  platform: NodeJS.Platform = 'win32',
  links: Record<string, string> = {},
) {
  const ran: string[] = [];
  return {
    ran,
    platform,
    profile: 'C:\\Profiles\\Jürgen Ö',
    systemRoot: 'C:\\Windows',
    realPath: (path: string) => links[path] ?? path,
    run(program: string, args: readonly string[]): string {
      ran.push([program, ...args].join(' '));
      if (fails !== null && ran.at(-1)?.includes(fails) === true) throw new Error('Access is denied.');
      return program.endsWith('whoami.exe') ? `"FIRMA\\jürgen","${person}"\r\n` : '';
    },
  };
}

describe('on Windows, a folder outside the user’s profile', () => {
  test('is restricted to the user, the system and administrators in one step', () => {
    const system = windows();
    restrictFolder('D:\\Countersign data', system);
    expect(system.ran).toEqual([
      'C:\\Windows\\System32\\whoami.exe /user /fo csv /nh',
      `C:\\Windows\\System32\\icacls.exe D:\\Countersign data /inheritance:r /grant:r *${person}:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F /remove:g *S-1-1-0 *S-1-5-7 *S-1-5-11 *S-1-5-2 *S-1-5-4 *S-1-5-32-545 *S-1-5-32-546 /q`,
    ]);
  });

  test.each(['whoami', '/grant'])('is refused if Windows refuses this step: %s', (step) => {
    expect(() => restrictFolder('D:\\data', windows(step))).toThrow('Access is denied');
  });

  test('is refused if it is a complete drive', () => {
    const system = windows();
    expect(() => restrictFolder('D:\\', system)).toThrow('whole drive');
    expect(system.ran).toEqual([]);
  });

  test('is restricted if it is inside by its name but a link leads outside', () => {
    const name = 'C:\\Profiles\\Jürgen Ö\\data';
    const system = windows(null, 'win32', { [name]: 'D:\\shared\\data' });
    restrictFolder(name, system);
    expect(system.ran).toHaveLength(2);
  });

  test('is refused if a link leads to a complete drive', () => {
    const system = windows(null, 'win32', { 'C:\\Profiles\\Jürgen Ö\\data': 'D:\\' });
    expect(() => restrictFolder('C:\\Profiles\\Jürgen Ö\\data', system)).toThrow('whole drive');
    expect(system.ran).toEqual([]);
  });

  test('is restricted if its name only begins like that of the profile', () => {
    const system = windows();
    restrictFolder('C:\\Profiles\\Jürgen Ö2\\data', system);
    expect(system.ran).toHaveLength(2);
  });
});

test.each([
  ['inside the profile', 'C:\\Profiles\\Jürgen Ö\\AppData\\Roaming\\Countersign', 'win32'],
  ['inside the profile in another spelling', 'c:\\profiles\\jürgen ö\\..\\Jürgen Ö\\data', 'win32'],
  ['on a system with file modes', '/srv/data', 'linux'],
  ['inside a profile behind a link', 'E:\\Profiles\\Jürgen\\data', 'win32'],
  ['if a mapped drive leads into the profile', 'X:\\data', 'win32'],
] as const)('a folder is left unchanged %s', (_, folder, platform) => {
  const system = windows(null, platform, {
    'C:\\Profiles\\Jürgen Ö': 'E:\\Profiles\\Jürgen',
    'C:\\Profiles\\Jürgen Ö\\AppData\\Roaming\\Countersign':
      'E:\\Profiles\\Jürgen\\AppData\\Roaming\\Countersign',
    'c:\\profiles\\jürgen ö\\..\\Jürgen Ö\\data': 'e:\\profiles\\jürgen\\data',
    'X:\\data': 'E:\\Profiles\\Jürgen\\data',
  });
  restrictFolder(folder, system);
  expect(system.ran).toEqual([]);
});
