import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { AppPreload } from '#shared/host-api/index.ts';
import { isRunning } from '../../scripts/lib/processes.ts';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { answerDialogs, bootedForThisFile, textOf, worldOf } from './boot/booted-app.ts';

const booted = bootedForThisFile();

/** Reads the undecided and the decided proposals as the page does. No test of this file decides a proposal. */
const proposals = (): Promise<string> =>
  booted.page.evaluate(async () => {
    const { ask } = (globalThis as unknown as { countersign: AppPreload }).countersign;
    const waiting = await ask('proposals.list', { which: 'waiting', before: null, limit: 50 });
    const past = await ask('proposals.list', { which: 'past', before: null, limit: 50 });
    return JSON.stringify([waiting, past]);
  });

test('both windows run sandboxed and isolated, without Node, each in its own session', async () => {
  const windows = await booted.application.evaluate(({ BrowserWindow, session }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => {
      const contents = webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      const url = webContents.getURL();
      const own = session.fromPartition(url === 'countersign://app/' ? 'persist:app' : 'confirm');
      return { url, ownSession: webContents.session === own, preferences: contents.getLastWebPreferences() };
    }),
  );
  expect(windows.map(({ url }) => url).toSorted()).toEqual(['countersign://app/', 'countersign://confirm/']);
  for (const { url, preferences, ownSession } of windows) {
    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      experimentalFeatures: false,
      safeDialogs: true,
    });
    expect({ url, ownSession }).toEqual({ url, ownSession: true });
  }
});

test.runIf(process.platform === 'linux')('every page process runs in the system’s sandbox', async () => {
  const pids = await booted.application.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getOSProcessId()),
  );
  expect(new Set(pids).size).toBe(2);
  for (const pid of pids) {
    // 2: only system calls that a filter allows.
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\t2$/m);
  }
});

test('each page has its own origin and is a secure context without Node or the other page’s bridge', async () => {
  const facts = (target: Page) =>
    target.evaluate(() => ({
      origin: globalThis.origin,
      secure: isSecureContext,
      isolated: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in globalThis),
      bridges: ['countersign', 'countersignConfirm'].filter((name) => name in globalThis),
    }));
  expect(await facts(booted.page)).toEqual({
    origin: 'countersign://app',
    secure: true,
    isolated: [],
    bridges: ['countersign'],
  });
  expect(await facts(booted.confirmPage)).toEqual({
    origin: 'countersign://confirm',
    secure: true,
    isolated: [],
    bridges: ['countersignConfirm'],
  });
});

test('a second start, a deep link or an opened file only brings the window to the front', async () => {
  const before = [await worldOf(booted), await proposals()];
  const hostile = [
    'countersign://confirm/?decision=approve',
    '--approve',
    '--load-extension=/tmp',
    'https://example.com/',
    'file:///etc/passwd',
  ];
  await booted.application.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find((one) => one.webContents.getURL().startsWith('countersign://app/'))
      ?.minimize();
  });
  const second = await booted.electron.run({ userData: booted.userData, args: hostile });
  expect(second.exitCode).toBe(0);
  await expect
    .poll(() =>
      booted.application.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .filter((one) => one.isVisible() && !one.isMinimized())
          .map((one) => [one.getTitle(), one.isFocused()]),
      ),
    )
    .toEqual([['Demo · “Northwind Media” · Countersign', true]]);
  const prevented = await booted.application.evaluate(({ app }, hostile) => {
    const seen: string[] = [];
    for (const name of ['open-url', 'open-file']) {
      for (const what of hostile) app.emit(name, { preventDefault: () => seen.push(name) }, what);
    }
    app.emit('second-instance', {}, ['electron', ...hostile], '/', { decision: 'approve' });
    return seen.length;
  }, hostile);
  expect(prevented).toBe(2 * hostile.length);
  expect([await worldOf(booted), await proposals()]).toEqual(before);
});

test('the app reports its own version, not the version of Electron', async () => {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const answer = await booted.page.evaluate(() => {
    const { ask } = (globalThis as unknown as { countersign: AppPreload }).countersign;
    return ask('session.get', {});
  });
  expect(answer).toMatchObject({ output: { version, host: 'desktop' } });
});

test('a crashed page is loaded again, and after a second crash the user is asked', async () => {
  const seen = await answerDialogs(booted, 0);
  const crash = (): Promise<void> =>
    booted.application.evaluate(({ BrowserWindow }) => {
      const own = BrowserWindow.getAllWindows().find((one) =>
        one.webContents.getURL().startsWith('countersign://app/'),
      );
      return new Promise<void>((resolve) => {
        own?.webContents.once('render-process-gone', () => resolve());
        own?.webContents.forcefullyCrashRenderer();
      });
    });
  await crash();
  await expect.poll(() => textOf(booted)).toContain('400 campaigns');
  expect((await seen()).asked).toEqual([]);
  await crash();
  await expect.poll(async () => (await seen()).asked.length).toBe(1);
  expect((await seen()).asked[0]).toContain('crashed twice');
  await expect.poll(() => textOf(booted)).toContain('400 campaigns');
});

test('the window reopens at its last position', async () => {
  const bounds = { x: 120, y: 80, width: 1100, height: 700 };
  await booted.application.evaluate(({ BrowserWindow }, bounds) => {
    BrowserWindow.getAllWindows()
      .find((one) => one.webContents.getURL().startsWith('countersign://app/'))
      ?.setBounds(bounds);
  }, bounds);
  await booted.restart();
  const found = await booted.application.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((one) => one.webContents.getURL().startsWith('countersign://app/'))
      ?.getBounds(),
  );
  expect(found).toEqual(bounds);
});

test('a page that blocks leaving cannot prevent the program from quitting', async () => {
  await booted.application.evaluate(async ({ BrowserWindow }) => {
    const own = BrowserWindow.getAllWindows().find((one) =>
      one.webContents.getURL().startsWith('countersign://app/'),
    );
    // Simulates a click of a person, because without one Chromium does not ask the page.
    await own?.webContents.executeJavaScript(
      "addEventListener('beforeunload', (event) => event.preventDefault())",
      true,
    );
  });
  const { pid = 0 } = booted.application.process();
  await booted.application.evaluate(({ app }) => app.quit()).catch(() => undefined);
  await expect.poll(() => isRunning(pid)).toBe(false);
});
