import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { AppRequest } from '#shared/app-api/index.ts';
import type { AppPreload } from '#shared/host-api/index.ts';
import { defaultShownFormats } from '#shared/lib/formats.ts';
import { bootedForThisFile } from '../boot/booted-app.ts';
import { acrossReloads } from '#test/servers/across-reloads.ts';
import { untilFound } from '#test/setup/eventually.ts';

const booted = bootedForThisFile();

const pageAt = (application: ElectronApplication, url: string): Promise<Page> =>
  untilFound(() => application.windows().find((page) => page.url().startsWith(url)));

const ask = (page: Page, request: AppRequest, input: object = {}): Promise<unknown> =>
  acrossReloads(() =>
    page.evaluate(
      async ({ request, input }) => {
        const { ask } = (window as unknown as { countersign: AppPreload }).countersign;
        const answer = await ask(request, input);
        return 'error' in answer ? answer.error.code : answer.output;
      },
      { request, input },
    ),
  );

async function openTraining(): Promise<Page> {
  await booted.page.evaluate(async () => {
    const { askHost } = (window as unknown as { countersign: AppPreload }).countersign;
    await askHost('desktop.openTraining', {});
  });
  const page = await pageAt(booted.application, 'countersign://training/');
  await expect.poll(() => ask(page, 'training.home')).toMatchObject({ names: [] });
  return page;
}

const spaced = { numbers: 'space', moments: 'utc' };

const trainingFolder = (): string => join(booted.userData, 'data/training');

test('the windows of training run sandboxed and isolated, each with its own origin and session', async () => {
  expect(existsSync(trainingFolder())).toBe(false);
  await ask(booted.page, 'session.setFormats', spaced);
  await openTraining();
  await pageAt(booted.application, 'countersign://training-confirm/');
  const windows = await booted.application.evaluate(({ BrowserWindow, session }) =>
    BrowserWindow.getAllWindows()
      .map(({ webContents }) => {
        const contents = webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
        const { sandbox, contextIsolation, nodeIntegration } = contents.getLastWebPreferences();
        const partitions = ['persist:app', 'confirm', 'training', 'training-confirm'];
        return {
          url: webContents.getURL(),
          session: partitions.find((name) => session.fromPartition(name) === webContents.session),
          preferences: [sandbox, contextIsolation, nodeIntegration],
        };
      })
      .toSorted((a, b) => a.url.localeCompare(b.url)),
  );
  expect(windows.map(({ url, session }) => [url, session])).toEqual([
    ['countersign://app/', 'persist:app'],
    ['countersign://confirm/', 'confirm'],
    ['countersign://training-confirm/', 'training-confirm'],
    ['countersign://training/', 'training'],
  ]);
  for (const { preferences } of windows) expect(preferences).toEqual([true, true, false]);
});

test('training uses the number and time format that the real app had when it was opened, and cannot change it', async () => {
  const page = await openTraining();
  expect(await ask(page, 'session.get')).toMatchObject({ formats: spaced });
  expect(await ask(page, 'session.setFormats', defaultShownFormats)).toBe('no_workspace');
  expect(await ask(booted.page, 'session.get')).toMatchObject({ formats: spaced });
});

test('quitting ends both cores in order, and the open workspace can be resumed', async () => {
  const { application, userData } = booted;
  const page = await openTraining();
  await ask(page, 'training.startPractice');
  await expect.poll(() => ask(page, 'training.workspace')).toMatchObject({ workspace: { kind: 'practice' } });
  expect(await ask(page, 'campaigns.types')).toBeTypeOf('object');
  const exit = once(application.process(), 'exit');
  await application.evaluate(({ app }) => app.quit()).catch(() => undefined);
  expect(await exit).toEqual([0, null]);
  for (const folder of ['data/logs', 'data/training/logs']) {
    const log = readFileSync(join(userData, folder, 'countersign.log'), 'utf8');
    expect(log.split('\n').at(-2)).toContain('The core has ended');
  }
  await booted.restart();
  const again = await openTraining();
  expect(await ask(again, 'training.home')).toMatchObject({ left: { kind: 'practice' } });
  expect(await ask(again, 'training.resume')).toMatchObject({ kind: 'practice' });
});
