import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { foreignName, reservedPort, reservePort, secondStart, start } from '../../try-package/starts.ts';
import { tryPackage } from '../../try-package/try-package.ts';
import type { Step, Trial } from '../../try-package/trial.ts';
import { installOver, sameIdentity, signature } from '../../try-package/updates.ts';
import { tempFolder } from '../../servers/temp-folder.ts';

const fakeApp = fileURLToPath(new URL('./fake-app.ts', import.meta.url));

/** A machine on which the app has this fault, and where programs of the system answer as told. */
function trialOf(more: Partial<Trial> & { fault?: string } = {}): Trial & { asked: string[][] } {
  const asked: string[][] = [];
  const { fault = 'none', ...parts } = more;
  const run = parts.run ?? (() => ({ exitCode: 0, output: '' }));
  const work = tempFolder();
  const app = join(work, 'package');
  mkdirSync(app);
  return {
    platform: 'linux',
    app,
    newer: null,
    installer: null,
    newerInstaller: null,
    isSigned: false,
    work,
    limitMs: 30_000,
    programIn: () => ({ file: process.execPath, args: [fakeApp, fault] }),
    asked,
    ...parts,
    run(program, args) {
      asked.push([program, ...args]);
      return run(program, args);
    },
  };
}

async function tryOne(step: Step, trial: Trial): Promise<{ exitCode: number; lines: string[] }> {
  const lines: string[] = [];
  const exitCode = await tryPackage({ step }, ['step'], (line) => void lines.push(line), trial);
  return { exitCode, lines };
}

describe('starting', () => {
  test.each([
    ['start', start, 'ready and ended twice'],
    ['second-start', secondStart, 'ended with 0'],
    ['name', foreignName, 'Jürgen Ö'],
    ['reserved-port', reservedPort, 'port 47123 was taken'],
    ['install-over', installOver, 'the same version over itself'],
  ])('an app in good order passes %s', async (_name, step, words) => {
    const { exitCode, lines } = await tryOne(step, trialOf());
    expect(lines[1]).toContain(`passed: `);
    expect(lines[1]).toContain(words);
    expect(exitCode).toBe(0);
  });

  test.each<[string, Step, RegExp, number?]>([
    ['dies early', start, /It ended without a ready core[^]*The desktop host is up/],
    ['is never ready', start, /It still runs without a ready core/, 500],
    ['refuses to quit', start, /The start that asks it to quit ended with 1/],
    ['crashes at its end', start, /asked to quit and ended with 7/],
    ['kills its core', start, /It ended before its core had/],
    ['leaves its lock', start, /It left its lock behind/],
    ['keeps a second start', secondStart, /The second start does not end after 3 s/, 3_000],
    ['ends for a second start', secondStart, /The second start ended the first/],
  ])('an app that %s does not pass', async (fault, step, words, limitMs = 30_000) => {
    const { exitCode, lines } = await tryOne(step, trialOf({ fault, limitMs }));
    expect(lines[1]).toMatch(/^ {2}failed: /);
    expect(lines[1]).toMatch(words);
    expect(exitCode).toBe(1);
  });
});

describe('on Windows', () => {
  const windows = { platform: 'win32', installer: 'setup.exe' } as const;

  test('the port is reserved as Hyper-V does, and released again', async () => {
    const trial = trialOf(windows);
    await reservePort(trial, 47123)();
    const which = ['excludedportrange', 'protocol=tcp', 'startport=47123', 'numberofports=1'];
    expect(trial.asked).toEqual([
      ['netsh', 'int', 'ipv4', 'add', ...which],
      ['netsh', 'int', 'ipv4', 'delete', ...which],
    ]);
  });

  test('without the rights to reserve a port the step says so', () => {
    const run = () => ({ exitCode: 1, output: 'The requested operation requires elevation' });
    expect(() => reservePort(trialOf({ ...windows, run }), 47123)).toThrow(/netsh[^]*requires elevation/);
  });

  /** An installer that asks the running app to quit, or leaves it alone. */
  function installing(asks: boolean) {
    const trial: ReturnType<typeof trialOf> = trialOf({
      ...windows,
      run(program) {
        const data = readdirSync(trial.work).find((name) => name.startsWith('data-'));
        if (asks && program === 'later.exe')
          spawnSync(process.execPath, [
            fakeApp,
            'none',
            `--user-data-dir=${join(trial.work, data ?? '')}`,
            '--quit-for-update',
          ]);
        return { exitCode: 0, output: '' };
      },
    });
    return { ...trial, newerInstaller: 'later.exe' };
  }

  test('a later version is installed over the running one, which ends in good order first', async () => {
    const trial = installing(true);
    expect((await tryOne(installOver, trial)).lines[1]).toBe('  passed: a later version over the first');
    expect(trial.asked.map(([program, silent]) => [program?.split(/[\\/]/).at(-1), silent])).toEqual([
      ['setup.exe', '/S'],
      ['later.exe', '/S'],
      ['Uninstall Countersign.exe', '/S'],
    ]);
  });

  test('an installer that leaves the running version alone does not pass', async () => {
    expect((await tryOne(installOver, { ...installing(false), limitMs: 3_000 })).lines[1]).toContain(
      'The installer left the old version running',
    );
  }, 20_000);

  test('a program without a valid signature does not pass', async () => {
    const run = () => ({ exitCode: 1, output: 'The file is not digitally signed.' });
    const { lines } = await tryOne(signature, trialOf({ ...windows, isSigned: true, run }));
    expect(lines[1]).toContain('not digitally signed');
  });

  test.each([
    ['CN=One', 'CN=One', 'passed: both are signed by CN=One'],
    ['CN=One', 'CN=Other', 'failed: The signer was CN=One and is CN=Other'],
  ])('a version by %s is followed by one by %s', async (before, after, words) => {
    const signers = [before, after];
    const run = () => ({ exitCode: 0, output: `${signers.shift()}\r\n` });
    const { lines } = await tryOne(
      sameIdentity,
      trialOf({ ...windows, isSigned: true, newer: 'C:\\later', run }),
    );
    expect(lines[1]).toContain(words);
  });
});

describe('on macOS', () => {
  const mac = { platform: 'darwin', app: '/Applications/Countersign.app' } as const;

  test('a test build has an intact signature, a release is let in and carries its notarisation as well', async () => {
    const test = trialOf(mac);
    expect((await tryOne(signature, test)).exitCode).toBe(0);
    expect(test.asked).toEqual([['codesign', '--verify', '--deep', '--strict', '--verbose=2', mac.app]]);
    const release = trialOf({ ...mac, isSigned: true });
    await tryOne(signature, release);
    expect(release.asked.map(([program]) => program)).toEqual(['codesign', 'spctl', 'xcrun']);
  });

  test('a later version has to fulfil the requirement of the one before', async () => {
    const requirement = 'identifier "app.countersign" and anchor apple generic';
    const run = () => ({ exitCode: 0, output: `Executable=…\ndesignated => ${requirement}\n` });
    const trial = trialOf({ ...mac, isSigned: true, newer: '/tmp/later', run });
    expect((await tryOne(sameIdentity, trial)).lines[1]).toContain('fulfils');
    expect(trial.asked[1]).toEqual([
      'codesign',
      '--verify',
      `-R=${requirement}`,
      '/tmp/later/Countersign.app',
    ]);
  });
});

describe('choosing steps', () => {
  const passes: Step = { does: 'passes', notHere: () => null, run: async () => 'well' };
  const elsewhere: Step = { ...passes, notHere: () => 'needs Windows' };
  const said: string[] = [];
  const choose = (...chosen: string[]): Promise<number> => {
    said.length = 0;
    return tryPackage({ passes, elsewhere }, chosen, (line) => void said.push(line), trialOf());
  };

  test('all leaves out what cannot be tried here, and counts it', async () => {
    expect(await choose('all')).toBe(0);
    expect(said.at(-1)).toBe('1 passed, 0 failed, 1 not tried on linux.');
    expect(said).toContain('  not tried: needs Windows');
  });

  test('a step that was named fails where it cannot be tried', async () => {
    expect(await choose('passes', 'elsewhere')).toBe(1);
    expect(said).toContain('  failed: needs Windows');
  });

  test('a step that does not exist is refused, and nothing is tried', async () => {
    expect(await choose('passes', 'fly')).toBe(2);
    expect(said).toEqual(['No step fly. Steps: passes, elsewhere.']);
  });

  test('a run in which nothing could be tried has not passed', async () => {
    const lines: string[] = [];
    expect(await tryPackage({ elsewhere }, ['all'], (line) => void lines.push(line), trialOf())).toBe(1);
  });
});
