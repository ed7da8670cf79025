import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppRequest } from '#shared/app-api/index.ts';
import type { AppPreload, DesktopRequest } from '#shared/host-api/index.ts';
import { electronForThisFile } from '../../servers/electron-runtime.ts';
import { startDesktopScene, type DesktopScene } from '../confirmation/scene.ts';
import { acrossReloads } from '#test/servers/across-reloads.ts';
import { stageTraining, type StagedTraining } from './staged-core.ts';

const bed = electronForThisFile();
let scene: DesktopScene;
let training: StagedTraining;

beforeAll(async () => {
  training = await stageTraining(bed);
  scene = await startDesktopScene(bed, training.line.path);
});
afterAll(async () => {
  await scene.close();
  await training.line.close();
});

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

const askHost = (page: Page, request: DesktopRequest): Promise<unknown> =>
  acrossReloads(() =>
    page.evaluate(async (request) => {
      const { askHost } = (window as unknown as { countersign: AppPreload }).countersign;
      const answer = await askHost(request, {});
      return 'error' in answer ? answer.error.code : answer.output;
    }, request),
  );

interface Processes {
  started: number;
  ended: number;
}

const processes = (): Promise<Processes> =>
  scene.electron.evaluate(
    () => (globalThis as unknown as { seenByHost: { training: Processes } }).seenByHost.training,
  );

const choose = (label: string): Promise<void> =>
  scene.electron.evaluate(({ Menu }, label) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
    items.find((item) => item.label === label)?.click({ triggeredByAccelerator: false });
  }, label);

const chooseTraining = (): Promise<void> => choose('Training…');

async function openTraining(): Promise<Page> {
  await chooseTraining();
  const page = await scene.pageAt('training');
  await expect.poll(() => ask(page, 'session.get')).toMatchObject({ profile: { name: 'Training' } });
  return page;
}

const titles = (): Promise<string[]> =>
  scene.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .map((window) => window.getTitle())
      .toSorted(),
  );

/** Closes the training window. Resolves when the window is gone; its core may still be running. */
async function closeTraining(): Promise<void> {
  const isOpen = (press: 'look' | 'close'): Promise<boolean> =>
    scene.electron.evaluate(({ BrowserWindow }, press) => {
      const window = BrowserWindow.getAllWindows().find(({ webContents }) =>
        webContents.getURL().startsWith('countersign://training/'),
      );
      if (press === 'close') window?.close();
      return window !== undefined;
    }, press);
  await isOpen('close');
  await expect.poll(() => isOpen('look')).toBe(false);
}

test('an app without open training has no process and no window of training', async () => {
  expect(await processes()).toEqual({ started: 0, ended: 0 });
  expect((await titles()).filter((title) => title.startsWith('TRAINING'))).toEqual([]);
});

test('Training… in the Help menu opens one window with one core and a title that says so', async () => {
  await openTraining();
  await chooseTraining();
  await expect.poll(() => scene.state('training')).toEqual({ visible: true, focused: true });
  expect(await processes()).toEqual({ started: 1, ended: 0 });
  await expect
    .poll(titles)
    .toEqual(
      expect.arrayContaining([
        'TRAINING · Countersign',
        'TRAINING · Confirm a change',
        expect.stringContaining('Demo · '),
      ]),
    );
});

test('dialogs that training does not have open in the real app, even with the training window in front', async () => {
  await openTraining();
  await expect.poll(() => scene.state('training')).toEqual({ visible: true, focused: true });
  for (const [item, dialog] of [
    ['Getting Started', 'Welcome to Countersign'],
    ['About Countersign', 'About Countersign'],
  ] as const) {
    await choose(item);
    await scene.appPage.getByRole('dialog', { name: dialog }).waitFor();
    await scene.appPage.keyboard.press('Escape');
    await chooseTraining();
  }
});

test('each page reaches its own core and is refused requests of the other core', async () => {
  const page = await scene.pageAt('training');
  expect(await ask(page, 'campaigns.types')).toBe('no_workspace');
  expect(await ask(scene.appPage, 'training.home')).toBe('training_only');
  expect(await askHost(page, 'desktop.openTraining')).toBe('not_found');
  expect(await askHost(page, 'desktop.keepSecrets')).toBe('not_found');
  for (const request of ['desktop.realWork', 'desktop.reviewReal', 'desktop.stopRealAgents'] as const) {
    expect(await askHost(scene.appPage, request)).toBe('not_found');
  }
  expect(await page.evaluate(() => document.documentElement.dataset['place'])).toBe('training');
  expect(await scene.appPage.evaluate(() => document.documentElement.dataset['place'])).toBeUndefined();
});

/** The registered handlers, as Electron stores them. */
type Handlers = Map<string, (event: unknown, ...args: unknown[]) => Promise<{ error?: { code: string } }>>;

test('every channel refuses all pages but its own, including those of training', async () => {
  const answered = await scene.electron.evaluate(async ({ ipcMain, webContents }) => {
    const handlers = (ipcMain as unknown as { _invokeHandlers: Handlers })._invokeHandlers;
    const pages = webContents.getAllWebContents();
    const found: string[] = [];
    for (const [channel, handler] of handlers) {
      const [origin] = channel.split(' ');
      for (const sender of pages) {
        if (sender.getURL().startsWith(`${origin}/`)) continue;
        const answer = await handler({ sender, senderFrame: sender.mainFrame }, 'session.get', {});
        if (answer.error?.code !== 'sender_refused') found.push(`${channel} from ${sender.getURL()}`);
      }
    }
    return { found, channels: [...handlers.keys()], pages: pages.length };
  });
  expect(answered.found).toEqual([]);
  expect(answered.pages).toBe(4);
  expect(answered.channels.toSorted()).toEqual([
    'countersign://app app',
    'countersign://app host',
    'countersign://confirm confirm',
    'countersign://training app',
    'countersign://training host',
    'countersign://training-confirm confirm',
  ]);
});

test('during a mission a live proposal neither opens nor takes the focus, and opens on a click or after the mission', async () => {
  const page = await scene.pageAt('training');
  const [first = '', second = ''] = await scene.propose(2);
  training.setPhase('running');
  await scene.focus('training');
  // Only the host can provide the count on the page of training.
  await expect.poll(() => askHost(page, 'desktop.realWork')).toEqual({ waiting: 2, frozen: false });

  await scene.core.drawnAfter(() => scene.core.show(first));
  expect(await scene.state('confirm')).toEqual({ visible: false, focused: false });
  expect((await scene.state('training')).focused).toBe(true);

  expect(await askHost(page, 'desktop.reviewReal')).toBeNull();
  await expect.poll(() => scene.state('confirm')).toEqual({ visible: true, focused: true });
  await scene.postpone();

  // After a person closes a confirmation, the core opens no window by itself until the person asks for a review again.
  await scene.focus('training');
  await scene.core.drawnAfter(() => scene.core.show(second));
  expect((await scene.state('confirm')).visible).toBe(false);
  training.setPhase('over');
  await expect.poll(() => scene.state('confirm')).toEqual({ visible: true, focused: false });
  expect(scene.core.decisions).toEqual([]);
  await scene.postpone();
});

test('a confirmation of training does not cover the real one while that has the focus, and opens when that is closed', async () => {
  const page = await scene.pageAt('training');
  training.endMission();
  await ask(page, 'training.startPractice');
  await page.getByRole('button', { name: 'Leave' }).first().waitFor();
  const filter = { query: '', status: 1, types: [], sort: 'cid', order: 'desc' };
  const { rows } = (await ask(page, 'campaigns.page', { filter, page: 1, perPage: 1 })) as {
    rows: { cid: number; name: string }[];
  };
  const { cid = 0, name = '' } = rows[0] ?? {};
  const draft = { from: name, operations: [{ kind: 'set', value: `${name}, renamed` }] };
  await ask(page, 'drafts.change', { title: 'A change', changes: [{ cid, field: 'name', draft }] });
  const { proposed } = (await ask(page, 'drafts.propose', { cids: [cid] })) as {
    proposed: { proposalId: string }[];
  };
  const id = proposed[0]?.proposalId ?? '';

  expect(await askHost(page, 'desktop.reviewReal')).toBeNull();
  await expect.poll(() => scene.state('confirm')).toEqual({ visible: true, focused: true });
  await training.line.drawnAfter(() => training.line.show(id));
  expect((await scene.state('trainingConfirm')).visible).toBe(false);
  expect((await scene.state('confirm')).focused).toBe(true);
  await scene.postpone();
  await expect.poll(async () => (await scene.state('trainingConfirm')).visible).toBe(true);
  expect(training.line.decisions).toEqual([]);
});

test('the emergency stop of the training window stops the real agents and not those of training', async () => {
  const page = await scene.pageAt('training');
  const frozen = async (): Promise<boolean> =>
    ((await ask(scene.appPage, 'agents.get')) as { frozenSinceMs: number | null }).frozenSinceMs !== null;
  const release = async (): Promise<void> => {
    await expect.poll(async () => (await scene.state('confirm')).visible).toBe(true);
    await scene.postpone();
    await ask(scene.appPage, 'agents.thaw');
    expect(await frozen()).toBe(false);
  };

  await scene.electron.evaluate(({ BrowserWindow }) => {
    const { webContents } =
      BrowserWindow.getAllWindows().find((window) =>
        window.webContents.getURL().startsWith('countersign://training/'),
      ) ?? {};
    for (const type of ['rawKeyDown', 'keyUp'] as const) {
      webContents?.sendInputEvent({ type: type as 'keyDown', keyCode: 'H', modifiers: ['control', 'shift'] });
    }
  });
  await expect.poll(frozen).toBe(true);
  await release();

  expect(await askHost(page, 'desktop.stopRealAgents')).toBeNull();
  expect(await frozen()).toBe(true);
  await release();
  expect(training.asked).not.toContain('emergencyStop.start');
});

test('a crashed core of training is restarted without any effect on the real core', async () => {
  const page = await scene.pageAt('training');
  const before = await processes();
  training.line.drop();
  await expect.poll(processes).toEqual({ started: before.started + 1, ended: before.ended + 1 });
  await expect.poll(() => ask(page, 'training.workspace')).toBeTypeOf('object');
  expect(await ask(scene.appPage, 'session.get')).toMatchObject({ host: 'desktop' });
  expect(await scene.appPage.getByText('Countersign cannot be reached.').count()).toBe(0);
});

test('closing the training window ends its core and leaves nothing running, and it can be opened again', async () => {
  const { started, ended } = await processes();
  await closeTraining();
  await expect.poll(processes).toEqual({ started, ended: ended + 1 });
  expect((await titles()).filter((title) => title.startsWith('TRAINING'))).toEqual([]);
  expect(
    await scene.electron.evaluate(({ ipcMain }) =>
      [...(ipcMain as unknown as { _invokeHandlers: Handlers })._invokeHandlers.keys()].filter((name) =>
        name.startsWith('countersign://training'),
      ),
    ),
  ).toEqual([]);
  await openTraining();
  // The core of the first window may not have released its folder when the window is opened again.
  await closeTraining();
  await chooseTraining();
  await expect.poll(processes).toEqual({ started: started + 2, ended: ended + 2 });
  await openTraining();
});

test('the training window can be closed while its page loads', async () => {
  await closeTraining();
  for (let round = 0; round < 3; round += 1) {
    await chooseTraining();
    const closedWhile = await scene.electron.evaluate(async ({ BrowserWindow }) => {
      const found = () =>
        BrowserWindow.getAllWindows().find(({ webContents }) =>
          webContents.getURL().startsWith('countersign://training/'),
        );
      while (found() === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      const window = found();
      const isLoading = window?.webContents.isLoading();
      window?.close();
      return isLoading;
    });
    expect(closedWhile).toBe(true);
    await expect.poll(titles).not.toContainEqual(expect.stringMatching(/^TRAINING/));
  }
  await openTraining();
});
