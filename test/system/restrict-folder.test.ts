import { describe, expect, test } from 'vitest';
import { restrictFolder } from '#system/restrict-folder.ts';

const person = 'S-1-5-21-1004336348-1177238915-682003330-512';

function windows(fails: string | null = null, platform: NodeJS.Platform = 'win32') {
  const ran: string[] = [];
  return {
    ran,
    platform,
    profile: 'C:\\Profiles\\Jürgen Ö',
    systemRoot: 'C:\\Windows',
    run(program: string, args: readonly string[]): string {
      ran.push([program, ...args].join(' '));
      if (fails !== null && ran.at(-1)?.includes(fails) === true) throw new Error('Access is denied.');
      return program.endsWith('whoami.exe') ? `"FIRMA\\jürgen","${person}"\r\n` : '';
    },
  };
}

describe('a folder outside of the profile on Windows', () => {
  test('is closed to everybody but the person, the system and administrators', () => {
    const system = windows();
    restrictFolder('D:\\Countersign data', system);
    expect(system.ran).toEqual([
      'C:\\Windows\\System32\\whoami.exe /user /fo csv /nh',
      'C:\\Windows\\System32\\icacls.exe D:\\Countersign data /reset /q',
      `C:\\Windows\\System32\\icacls.exe D:\\Countersign data /inheritance:r /grant:r *${person}:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F /q`,
    ]);
  });

  test.each(['whoami', '/reset', '/grant'])('is refused where Windows refuses: %s', (step) => {
    expect(() => restrictFolder('D:\\data', windows(step))).toThrow('Access is denied');
  });

  test('is refused where it is a whole drive', () => {
    const system = windows();
    expect(() => restrictFolder('D:\\', system)).toThrow('whole drive');
    expect(system.ran).toEqual([]);
  });

  test('has a name that only begins like the profile', () => {
    const system = windows();
    restrictFolder('C:\\Profiles\\Jürgen Ö2\\data', system);
    expect(system.ran).toHaveLength(3);
  });
});

test.each([
  ['inside of the profile', 'C:\\Profiles\\Jürgen Ö\\AppData\\Roaming\\Countersign', 'win32'],
  ['inside of the profile in other letters', 'c:\\profiles\\jürgen ö\\..\\Jürgen Ö\\data', 'win32'],
  ['on a system with file modes', '/srv/data', 'linux'],
] as const)('nothing is done %s', (_, folder, platform) => {
  const system = windows(null, platform);
  restrictFolder(folder, system);
  expect(system.ran).toEqual([]);
});
