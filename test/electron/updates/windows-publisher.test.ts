import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createInstaller, assertWindowsPublisher, type RunPowerShell } from '#electron/updates/installer.ts';
import type { Update } from '#electron/updates/update-life.ts';
import { createUpdateServer } from '#electron/updates/update-server.ts';
import { AppError } from '#shared/errors/index.ts';
import { setSystemNetwork } from '#system/http/system-network.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { startPublisher } from '#test/servers/update-server.ts';

const publisher = 'Northwind Media GmbH';

const codeOf = (run: RunPowerShell, name = publisher): unknown => {
  try {
    assertWindowsPublisher(String.raw`C:\updates\it's; calc\setup.exe`, name, run);
    return null;
  } catch (failure) {
    return failure instanceof AppError ? failure.code : failure;
  }
};

test('an installer with a valid signature of this publisher is accepted, and its path is not part of a command', () => {
  const asked: [string, Readonly<Record<string, string>>][] = [];
  const run: RunPowerShell = (...call) => {
    asked.push(call);
    return JSON.stringify({ status: 0, publisher });
  };
  expect(codeOf(run)).toBeNull();
  expect(asked[0]?.[0]).not.toContain('calc');
  expect(asked[0]?.[1]).toEqual({ COUNTERSIGN_UPDATE: String.raw`C:\updates\it's; calc\setup.exe` });
});

test.each<[string, RunPowerShell]>([
  ['another publisher', () => JSON.stringify({ status: 0, publisher: 'Northwind Media' })],
  ['a signature that does not match the file', () => JSON.stringify({ status: 3, publisher })],
  ['no signature', () => JSON.stringify({ status: 2, publisher: '' })],
  ['a status that is not a number', () => JSON.stringify({ status: '0', publisher })],
  ['an answer without a status', () => JSON.stringify({ publisher })],
  ['an answer that is not an object', () => 'null'],
  ['no answer', () => ''],
  ['a warning instead of the answer', () => 'Get-AuthenticodeSignature : not recognized'],
  [
    'a PowerShell that cannot run',
    () => {
      throw new Error('spawn powershell.exe ENOENT');
    },
  ],
])('an installer is refused after %s', (_what, run) => {
  expect(codeOf(run)).toBe('update_publisher_wrong');
});

test('an app built without a publisher accepts no installer', () => {
  expect(codeOf(() => JSON.stringify({ status: 0, publisher: '' }), '')).toBe('update_publisher_wrong');
});

/** A published installer for Windows, with the function that checks its publisher. */
async function windowsInstaller(assertPublisher: (path: string, name: string) => void) {
  const bytes = Buffer.from('MZ an installer');
  const name = 'Countersign-1.1.0.exe';
  const { service, source, serve } = await startPublisher(bytes);
  serve(name, bytes);
  onTestFinished(setSystemNetwork({ certificates: () => [service.authority] }).dispose);
  const sha512 = createHash('sha512').update(bytes).digest('base64');
  const update: Update = {
    version: '1.1.0',
    releasedAtMs: 0,
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    news: [],
    bytes: bytes.length,
    file: { system: 'win32', arch: 'x64', name, bytes: bytes.length, sha512 },
  };
  const installer = createInstaller({
    source,
    server: createUpdateServer(source.feed),
    version: '1.0.0',
    folder: tempFolder(),
    platform: 'win32',
    appImage: undefined,
    startApp: () => {},
    startAgain: () => {},
    assertPublisher,
  });
  const progress = { onBytes: () => {}, signal: new AbortController().signal };
  return {
    publisher: source.publisher,
    update,
    installer,
    download: () => installer.download(update, progress),
  };
}

const refuse = (): never => {
  throw new AppError('update_publisher_wrong');
};

test('an installer of another publisher is deleted', async () => {
  const { download } = await windowsInstaller(refuse);
  await expect(download()).rejects.toMatchObject({ code: 'update_publisher_wrong' });
});

test('the publisher is checked again before and during the installation, because the file may be from an earlier run', async () => {
  const asked: string[] = [];
  let isTrusted = true;
  const { publisher, update, installer, download } = await windowsInstaller((_path, name) => {
    asked.push(name);
    if (!isTrusted) refuse();
  });
  await download();
  installer.check(update);
  expect(asked).toEqual([publisher, publisher]);
  isTrusted = false;
  for (const step of [() => installer.check(update), () => installer.install(update)]) {
    expect(step).toThrow(expect.objectContaining({ code: 'update_publisher_wrong' }));
  }
  expect(asked).toHaveLength(4);
});
