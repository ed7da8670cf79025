import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AlertRule } from '#shared/app-api/index.ts';
import type { AppPreload, BegunFile } from '#shared/host-api/index.ts';
import { bootedForThisFile } from './boot/booted-app.ts';

const booted = bootedForThisFile();

async function openReport(): Promise<void> {
  const { page } = booted;
  await page.evaluate(() => void (location.hash = '#/reports?xml=7301&range=last7&compare=none&by=geo'));
  await page.getByText(/^read /).waitFor();
  const row = page.getByRole('grid', { name: 'Report rows' }).locator('[aria-rowindex="2"]');
  await row.and(page.locator(':not([aria-busy="true"])')).waitFor();
}

const saveAt = (path: string): Promise<void> =>
  booted.application.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, path);

test('the Reports page shows figures from the built worker and saves its table where the system’s dialog says', async () => {
  const { page } = booted;
  await openReport();
  expect(statSync(join(booted.userData, 'data/reports.sqlite')).size).toBeGreaterThan(0);

  const file = join(booted.electron.newFolder(), 'countries.csv');
  await saveAt(file);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Save table as CSV…' }).click();
  await page.getByText('countries.csv').waitFor();
  const [facts = '', rows = ''] = readFileSync(file, 'utf8').split('\r\n\r\n');
  expect(facts).toContain('XML traffic of source 7301');
  const total = rows.trimEnd().split('\r\n').at(-1) ?? '';
  expect(total).toMatch(/^Total,.*[1-9]/);
  expect(existsSync(`${file}.part`)).toBe(false);
  await page.getByRole('button', { name: 'Dismiss' }).click();
});

test('a report is printed from the app’s window, which stays unchanged', async () => {
  const { page, application } = booted;
  await openReport();
  // The native print dialog would wait for a person, so the test records the page's request and makes the PDF itself.
  await page.evaluate(() => {
    window.print = () => void (document.title = 'asked to print');
  });
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^Print/ }).click();
  await expect.poll(() => page.title()).toBe('asked to print');
  const paper = await application.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows().find((window) =>
      window.webContents.getURL().startsWith('countersign://app/'),
    )?.webContents;
    return (await contents?.printToPDF({}))?.subarray(0, 5).toString();
  });
  expect(paper).toBe('%PDF-');
  await page.locator('section[data-paper]').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Schedules' }).click();
  await page.getByRole('heading', { name: 'No schedules yet' }).waitFor();
});

/** An alert that every day with traffic crosses. */
const rule: AlertRule = {
  source: { kind: 'xml', tid: 7301 },
  only: null,
  metric: 'gross_requests',
  window: 'yesterday',
  condition: { kind: 'level', is: 'above', threshold: '0' },
  least: null,
};

interface Shown {
  title: string;
  body: string;
  emit(event: 'click' | 'failed', ...args: unknown[]): void;
}

test('an alert shows one notification without figures, and a click on it opens the alerts', async () => {
  const { page, application } = booted;
  await page.evaluate(() => void (location.hash = '#/campaigns'));
  await application.evaluate(({ BrowserWindow, Notification }) => {
    const shown: unknown[] = [];
    Object.assign(globalThis, { shown });
    Notification.isSupported = () => true;
    Notification.prototype.show = function () {
      shown.push(this);
    };
    BrowserWindow.getAllWindows().forEach((window) => window.hide());
  });
  await expect
    .poll(() => application.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()))
    .toBeNull();
  await page.evaluate(async (rule) => {
    const { ask } = (globalThis as unknown as { countersign: AppPreload }).countersign;
    await ask('reports.alerts.save', { id: null, rule });
  }, rule);
  const shown = (): Promise<string[][]> =>
    application.evaluate(() =>
      (globalThis as unknown as { shown: Shown[] }).shown.map(({ title, body }) => [title, body]),
    );
  const one = [['1 report alert crossed', 'Open Reports to see the figures. Nothing was changed.']];
  await expect.poll(shown).toEqual(one);

  await application.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown[0]?.emit('click'));
  await page.waitForURL('**/#/reports?part=alerts');
  await page
    .getByRole('listitem', { name: /^Gross requests: above 0/ })
    .getByText('Crossed')
    .waitFor();
  const isVisible = await application.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some((window) => window.isVisible()),
  );
  expect(isVisible).toBe(true);
  expect(await shown()).toEqual(one);

  await application.evaluate(() =>
    (globalThis as unknown as { shown: Shown[] }).shown[0]?.emit('failed', {}, 'The system refused'),
  );
  const log = readFileSync(join(booted.userData, 'data/logs/desktop.log'), 'utf8');
  expect(log).toMatch(/"reason":"The system refused".*"A notification could not be shown"/);
});

test('an interrupted save leaves no file next to its target when the page reloads or crashes, or the app quits', async () => {
  const folder = booted.electron.newFolder();
  await saveAt(join(folder, 'table.csv'));
  const files = (): string[] => readdirSync(folder);
  const begin = async (): Promise<void> => {
    await booted.page.evaluate(async () => {
      const { askHost } = (globalThis as unknown as { countersign: AppPreload }).countersign;
      const answer = await askHost('desktop.beginFile', { name: 'table.csv' });
      const { file } = (answer as { output: { file: BegunFile } }).output;
      await askHost('desktop.addToFile', { id: file.id, part: 'half' });
    });
    expect(files()).toEqual([expect.stringMatching(/^table\.csv\.\w+\.part$/)]);
  };
  await begin();
  await booted.page.reload();
  await expect.poll(files).toEqual([]);

  await begin();
  const loaded = booted.page.waitForEvent('load').catch(() => undefined);
  await booted.application.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find(({ webContents }) => webContents.getURL().startsWith('countersign://app/'))
      ?.webContents.forcefullyCrashRenderer();
  });
  await expect.poll(files).toEqual([]);
  await loaded;

  await booted.restart();
  await saveAt(join(folder, 'table.csv'));
  await begin();
  await booted.restart();
  expect(files()).toEqual([]);
});
