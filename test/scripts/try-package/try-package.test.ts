import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { writeBuildRecord } from '../../../scripts/package/build-record.ts';
import { withOwnKeychain } from '../../try-package/keychain.ts';
import { packagesInDist } from '../../try-package/packages-in-dist.ts';
import { reservePort, secondStart, start } from '../../try-package/starts.ts';
import { tryPackage } from '../../try-package/try-package.ts';
import { type Step, type Trial, whyNoStart } from '../../try-package/trial.ts';
import { installOver, sameIdentity, signature } from '../../try-package/updates.ts';
import { tempFolder } from '../../servers/temp-folder.ts';

const fakeApp = fileURLToPath(new URL('./fake-app.ts', import.meta.url));

/** A machine on which the app has this fault. Programs of the system answer as the test determines. */
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
    signature: null,
    ownFolder: join(work, 'Roaming', 'Countersign'),
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

describe('starting an installed app', () => {
  test.each<[string, Step, RegExp, number?]>([
    [
      'says why and dies',
      start,
      /It ended without a ready core[^]*It printed:\n\[1128:FATAL\] Running as root/,
    ],
    ['dies without a word', start, /It ended without a ready core\. It wrote no log and printed nothing\./],
    ['dies early', start, /It ended without a ready core[^]*The desktop host is up/],
    ['is never ready', start, /It still runs without a ready core/, 500],
    ['refuses to quit', start, /The start that asks it to quit ended with 1/],
    ['crashes at its end', start, /asked to quit and ended with 7/],
    ['kills its core', start, /It ended before its core had/],
    ['leaves its lock', start, /It left its lock behind/],
    ['keeps a second start', secondStart, /The second start does not end after 3 s/, 3_000],
    ['ends for a second start', secondStart, /The second start ended the first/],
  ])('does not pass if the app %s', async (fault, step, words, limitMs = 30_000) => {
    const { exitCode, lines } = await tryOne(step, trialOf({ fault, limitMs }));
    expect(lines[1]).toMatch(/^ {2}failed: /);
    expect(lines[1]).toMatch(words);
    expect(exitCode).toBe(1);
  });
});

test('a start as root on Linux is refused with a remedy, because Electron refuses root', () => {
  expect(whyNoStart('linux', 0)).toMatch(/^Electron refuses to run as root[^]*ordinary user[^]*runuser -u/);
  expect([whyNoStart('linux', 1000), whyNoStart('darwin', 0), whyNoStart('win32', undefined)]).toEqual([
    null,
    null,
    null,
  ]);
});

describe('on Windows', () => {
  const windows = { platform: 'win32', installer: 'setup.exe' } as const;

  test('a step reserves a port like Hyper-V and releases it again', async () => {
    const trial = trialOf(windows);
    await reservePort(trial, 47123)();
    const which = ['excludedportrange', 'protocol=tcp', 'startport=47123', 'numberofports=1'];
    expect(trial.asked).toEqual([
      ['netsh', 'int', 'ipv4', 'add', ...which],
      ['netsh', 'int', 'ipv4', 'delete', ...which],
    ]);
  });

  test('a step without the right to reserve a port reports that', () => {
    const run = () => ({ exitCode: 1, output: 'The requested operation requires elevation' });
    expect(() => reservePort(trialOf({ ...windows, run }), 47123)).toThrow(/netsh[^]*requires elevation/);
  });

  /** An installer that asks the running app to quit, or does not. Like a real installer, it knows no data folder. */
  function installing(asks: boolean, isInstalled = false) {
    const trial: ReturnType<typeof trialOf> = trialOf({
      ...windows,
      run(program, args) {
        if (program === 'reg')
          return { exitCode: isInstalled && args[1]?.startsWith('HKCU') ? 0 : 1, output: '' };
        if (asks && program === 'later.exe')
          spawnSync(process.execPath, [fakeApp, 'none', '--quit-for-update']);
        return { exitCode: 0, output: '' };
      },
    });
    vi.stubEnv('APPDATA', join(trial.ownFolder, '..'));
    onTestFinished(() => void vi.unstubAllEnvs());
    return { ...trial, newerInstaller: 'later.exe' };
  }

  test('a newer version is installed over the running one, which quits normally first', async () => {
    const trial = installing(true);
    expect((await tryOne(installOver, trial)).lines[1]).toBe('  passed: a later version over the first');
    const ran = trial.asked.filter(([program]) => program !== 'reg');
    expect(ran.map(([program, silent]) => [program?.split(/[\\/]/).at(-1), silent])).toEqual([
      ['setup.exe', '/S'],
      ['later.exe', '/S'],
      ['Uninstall Countersign.exe', '/S'],
    ]);
    // The second installer runs as an update: Windows has the folder of the first, and no data of the trial is left.
    expect(ran[1]).toEqual(['later.exe', '/S']);
    expect(existsSync(trial.ownFolder)).toBe(false);
  });

  test('an installer that does not end the running version fails, and is removed completely', async () => {
    const trial = installing(false);
    expect((await tryOne(installOver, { ...trial, limitMs: 3_000 })).lines[1]).toContain(
      'The installer left the old version running',
    );
    expect(trial.asked.at(-1)?.[0]).toMatch(/Uninstall Countersign\.exe$/);
    expect(existsSync(trial.ownFolder)).toBe(false);
  }, 20_000);

  test('a user’s own installation is not replaced, and its data is not removed', async () => {
    const installed = installing(true, true);
    expect((await tryOne(installOver, installed)).lines[1]).toContain('HKCU names an installation');
    const used = installing(true);
    mkdirSync(used.ownFolder, { recursive: true });
    writeFileSync(join(used.ownFolder, 'mine'), '');
    expect((await tryOne(installOver, used)).lines[1]).toContain('needs a user without data of Countersign');
    expect(existsSync(join(used.ownFolder, 'mine'))).toBe(true);
    for (const trial of [installed, used])
      expect(trial.asked.filter(([program]) => program !== 'reg')).toEqual([]);
  });

  test.each([
    ['NotSigned', 'passed: not signed, as its build says'],
    ['HashMismatch', 'failed: It was made without a certificate, and its signature is HashMismatch'],
  ])('the step reports a program of a build without a certificate that is %s', async (status, words) => {
    const run = () => ({ exitCode: 0, output: `${status}\r\n` });
    const { lines } = await tryOne(signature, trialOf({ ...windows, signature: 'none', run }));
    expect(lines[1]).toContain(words);
  });

  test('a program without a valid signature fails', async () => {
    const run = () => ({ exitCode: 1, output: 'The file is not digitally signed.' });
    const { lines } = await tryOne(signature, trialOf({ ...windows, signature: 'signed', run }));
    expect(lines[1]).toContain('not digitally signed');
  });

  test.each([
    ['CN=One', 'CN=One', 'passed: both are signed by CN=One'],
    ['CN=One', 'CN=Other', 'failed: The signer was CN=One and is CN=Other'],
  ])('a version of %s is followed by a version of %s', async (before, after, words) => {
    const signers = [before, after];
    const run = () => ({ exitCode: 0, output: `${signers.shift()}\r\n` });
    const { lines } = await tryOne(
      sameIdentity,
      trialOf({ ...windows, signature: 'signed', newer: 'C:\\later', run }),
    );
    expect(lines[1]).toContain(words);
  });
});

describe('on macOS', () => {
  const mac = { platform: 'darwin', app: '/Applications/Countersign.app' } as const;

  test.each([
    [null, ['codesign']],
    ['none', ['codesign']],
    ['signed', ['codesign', 'codesign']],
    ['notarised', ['codesign', 'codesign', 'spctl', 'xcrun']],
  ] as const)(
    'the signature of a build is intact and as strong as its kind (%s) requires',
    async (kind, programs) => {
      const trial = trialOf({ ...mac, signature: kind });
      expect((await tryOne(signature, trial)).exitCode).toBe(0);
      expect(trial.asked.map(([program]) => program)).toEqual(programs);
      expect(trial.asked[0]).toEqual(['codesign', '--verify', '--deep', '--strict', '--verbose=2', mac.app]);
      if (programs.length > 1) expect(trial.asked[1]?.[2]).toMatch(/^-R=anchor apple generic/);
    },
  );

  describe('each step has its own keychain,', () => {
    const usual = '/Profiles/a/login.keychain-db';

    /** A Mac whose user has this default keychain. The command `refused` fails. */
    const macWith = (name: string | null, refused = '') =>
      trialOf({
        ...mac,
        run(_program, args) {
          if (args[0] === refused) return { exitCode: 1, output: 'no' };
          const isQuestion = args.length === 3;
          if (isQuestion && name === null && args[0] === 'default-keychain')
            return { exitCode: 1, output: '' };
          return { exitCode: 0, output: isQuestion ? `    "${name ?? usual}"\n` : '' };
        },
      });

    const commandsOf = (trial: ReturnType<typeof trialOf>): string[] =>
      trial.asked.map(([, ...args]) =>
        args.map((word) => (word.endsWith('trial.keychain-db') ? 'own' : word)).join(' '),
      );

    const back = [
      `default-keychain -d user -s ${usual}`,
      `list-keychains -d user -s ${usual}`,
      'delete-keychain own',
    ];

    async function tryWith(trial: ReturnType<typeof trialOf>, run: Step['run']) {
      const { step } = withOwnKeychain({ step: { does: 'x', notHere: () => null, run } });
      if (step === undefined) throw new Error('No step');
      return tryOne(step, trial);
    }

    test('which is the only keychain while the step runs, and the user’s keychains are restored afterwards', async () => {
      const trial = macWith(usual);
      let before: string[] = [];
      const { exitCode } = await tryWith(trial, async () => {
        before = commandsOf(trial);
        return 'well';
      });
      expect(exitCode).toBe(0);
      expect(before.slice(-2)).toEqual(['list-keychains -d user -s own', 'default-keychain -d user -s own']);
      expect(commandsOf(trial).slice(before.length)).toEqual(back);
    });

    test('and the user’s keychains are restored after a failed step or a keychain that could not be created', async () => {
      const failed = macWith(usual);
      const { lines } = await tryWith(failed, () => Promise.reject(new Error('It broke')));
      expect(lines[1]).toBe('  failed: It broke');
      expect(commandsOf(failed).slice(-3)).toEqual(back);
      const unmade = macWith(usual, 'unlock-keychain');
      expect((await tryWith(unmade, async () => 'well')).lines[1]).toContain('unlock-keychain');
      expect(commandsOf(unmade).slice(-3)).toEqual(back);
      expect(process.listenerCount('SIGTERM')).toBe(0);
    });

    test('even if the user has no default keychain', async () => {
      expect((await tryWith(macWith(null), async () => 'well')).exitCode).toBe(0);
    });

    test('except on other systems', async () => {
      const trial = trialOf();
      await tryWith(trial, async () => 'well');
      expect(trial.asked).toEqual([]);
    });
  });

  test('two builds without an identity are not installed over each other, because the keychain would ask the user', async () => {
    const trial = trialOf({ ...mac, newer: '/tmp/later' });
    expect((await tryOne(installOver, trial)).lines[1]).toContain('needs --signed with --newer');
  });

  test('a newer version has to meet the signing requirement of the earlier version', async () => {
    const requirement = 'identifier "app.countersign" and anchor apple generic';
    const run = () => ({ exitCode: 0, output: `Executable=…\ndesignated => ${requirement}\n` });
    const trial = trialOf({ ...mac, signature: 'notarised', newer: '/tmp/later', run });
    expect((await tryOne(sameIdentity, trial)).lines[1]).toContain('fulfils');
    expect(trial.asked[1]).toEqual([
      'codesign',
      '--verify',
      `-R=${requirement}`,
      '/tmp/later/Countersign.app',
    ]);
  });
});

describe('the tested packages', () => {
  test.each([
    ['darwin', 'arm64', 'mac', 'mac-arm64'],
    ['darwin', 'x64', 'mac', 'mac'],
    ['win32', 'x64', 'win', 'win-unpacked'],
    ['win32', 'arm64', 'win', 'win-arm64-unpacked'],
    ['linux', 'x64', 'linux', 'linux-unpacked'],
    ['linux', 'arm64', 'linux', 'linux-arm64-unpacked'],
  ] as const)('of %s on %s are those that packaging created', (platform, arch, system, folder) => {
    const dist = tempFolder();
    for (const built of ['x64', 'arm64'] as const) {
      const signature = built === arch ? 'signed' : 'none';
      writeBuildRecord(dist, {
        version: '1.0.0',
        platform: system,
        arch: built,
        electron: '1',
        signature,
        test: null,
      });
      if (system === 'win') writeFileSync(join(dist, `Countersign-1.0.0-win-${built}.exe`), '');
    }
    expect(packagesInDist(dist, platform, arch)).toEqual({
      app: join(dist, folder),
      installer: system === 'win' ? join(dist, `Countersign-1.0.0-win-${arch}.exe`) : null,
      signature: 'signed',
    });
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

  test('“all” skips steps that cannot run here and counts them', async () => {
    expect(await choose('all')).toBe(0);
    expect(said.at(-1)).toBe('1 passed, 0 failed, 1 not tried on linux.');
    expect(said).toContain('  not tried: needs Windows');
  });

  test('a named step fails if it cannot run here', async () => {
    expect(await choose('passes', 'elsewhere')).toBe(1);
    expect(said).toContain('  failed: needs Windows');
  });

  test('an unknown step is refused and nothing runs', async () => {
    expect(await choose('passes', 'fly')).toBe(2);
    expect(said).toEqual(['No step fly. Steps: passes, elsewhere.']);
  });

  test('a run without any step that could run has not passed', async () => {
    const lines: string[] = [];
    expect(await tryPackage({ elsewhere }, ['all'], (line) => void lines.push(line), trialOf())).toBe(1);
  });
});
