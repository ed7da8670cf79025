import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { AppPreload } from '#shared/host-api/index.ts';
import { bootedForThisFile } from './boot/booted-app.ts';

const booted = bootedForThisFile();

/** The registered handlers, as Electron stores them. */
type Handlers = Map<string, (event: unknown, ...args: unknown[]) => Promise<{ error?: { code: string } }>>;

type Untyped = Record<
  'ask' | 'askHost',
  (name: unknown, input: unknown) => Promise<{ error?: { code: string } }>
>;

test('every channel refuses a removed frame, a subframe, another window and another origin', async () => {
  const refusals = await booted.application.evaluate(async ({ ipcMain, webContents }) => {
    const handlers = (ipcMain as unknown as { _invokeHandlers: Handlers })._invokeHandlers;
    const all = webContents.getAllWebContents();
    const app = all.find((one) => one.getURL().startsWith('countersign://app/'));
    const confirm = all.find((one) => one.getURL().startsWith('countersign://confirm/'));
    const answers: Record<string, (string | undefined)[]> = {};
    for (const [channel, handler] of handlers) {
      const [own, other] = channel.startsWith('countersign://confirm ') ? [confirm, app] : [app, confirm];
      const frame = own?.mainFrame;
      const events = [
        { sender: own, senderFrame: null },
        { sender: own, senderFrame: { origin: frame?.origin, parent: frame } },
        { sender: own, senderFrame: { origin: frame?.origin, parent: null } },
        { sender: other, senderFrame: other?.mainFrame },
        { sender: other, senderFrame: frame },
        { sender: { mainFrame: frame }, senderFrame: frame },
      ];
      answers[channel] = [];
      for (const event of events)
        answers[channel].push((await handler(event, 'session.get', {})).error?.code);
    }
    return answers;
  });
  expect(Object.keys(refusals).toSorted()).toEqual([
    'countersign://app app',
    'countersign://app host',
    'countersign://confirm confirm',
  ]);
  for (const [channel, codes] of Object.entries(refusals)) {
    expect(codes, channel).toEqual(Array.from({ length: 6 }, () => 'sender_refused'));
  }
});

test('a request of the right page is parsed and answered', async () => {
  const answers = await booted.page.evaluate(async () => {
    const { ask } = (globalThis as unknown as { countersign: AppPreload }).countersign;
    return [
      await ask('session.get', {}),
      await ask('campaigns.get', { cid: 'one' }),
      await ask('campaigns.get', undefined),
    ];
  });
  expect(answers[0]).toMatchObject({ output: { host: 'desktop', profile: { kind: 'demo' } } });
  expect(answers[1]).toMatchObject({ error: { code: 'bad_input', fields: [{ field: 'cid' }] } });
  expect(answers[2]).toMatchObject({ error: { code: 'bad_input' } });
});

test('a part of a file is accepted only as text or bytes', async () => {
  const codes = await booted.page.evaluate(async () => {
    const { askHost } = (globalThis as unknown as { countersign: AppPreload }).countersign;
    const answers = ['text', Uint8Array.of(0x89, 0), 7, [1, 2]].map(async (part) =>
      askHost('desktop.addToFile', { id: 'none', part }),
    );
    return (await Promise.all(answers)).map((answer) => answer && 'error' in answer && answer.error.code);
  });
  // Valid requests fail because no file was begun.
  expect(codes).toEqual(['storage_failed', 'storage_failed', 'bad_input', 'bad_input']);
});

test('there is no channel besides the guarded ones, even after settings were written', async () => {
  await booted.page.evaluate(async () => {
    const { askHost } = (globalThis as unknown as { countersign: AppPreload }).countersign;
    await askHost('desktop.setTheme', { theme: 'dark' });
  });
  await expect.poll(() => existsSync(join(booted.userData, 'settings.json'))).toBe(true);
  const beside = await booted.application.evaluate(({ ipcMain }) =>
    ipcMain.eventNames().filter((name) => name !== 'error' && ipcMain.listenerCount(name) > 0),
  );
  expect(beside).toEqual([]);
});

/** Names and types of a bridge's members, and whether a page can change the bridge. */
const surfaceOf = (target: Page, name: string): Promise<unknown> =>
  target.evaluate((name) => {
    const describe = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, describe(inner)]))
        : typeof value;
    const bridge = (globalThis as unknown as Record<string, Record<string, unknown>>)[name] ?? {};
    const changed = Object.keys(bridge).filter((key) => Reflect.set(bridge, key, () => 'mine'));
    const replaced = Reflect.set(globalThis, name, {}) && Reflect.deleteProperty(globalThis, name);
    return { surface: describe(bridge), changed, replaced };
  }, name);

test('the app’s page gets exactly these functions, none of which decides, and cannot change them', async () => {
  expect(await surfaceOf(booted.page, 'countersign')).toMatchInlineSnapshot(`
    {
      "changed": [],
      "replaced": false,
      "surface": {
        "ask": "function",
        "askHost": "function",
        "onCoreState": "function",
        "onEvent": "function",
        "onMenuCommand": "function",
        "onRealWork": "function",
        "onUpdates": "function",
      },
    }
  `);
});

test('the confirmation’s page gets exactly these functions and cannot change them', async () => {
  expect(await surfaceOf(booted.confirmPage, 'countersignConfirm')).toMatchInlineSnapshot(`
    {
      "changed": [],
      "replaced": false,
      "surface": {
        "ask": "function",
        "onReopened": "function",
        "onWaiting": "function",
      },
    }
  `);
});

test('a page can use only the requests of its own surfaces, and every other name is refused', async () => {
  const strange = [
    '',
    'toString',
    '__proto__',
    'constructor',
    'no.such',
    'countersign://confirm confirm',
    7,
    null,
  ];
  const refusedOfApp = await booted.page.evaluate(async (strange) => {
    const { ask, askHost } = (globalThis as unknown as { countersign: Untyped }).countersign;
    const names = ['decide', 'look', 'open', 'postpone', 'desktop.get', 'desktop.coreState', ...strange];
    const hostNames = ['decide', 'session.get', 'desktop.realWork', 'desktop.reviewReal', ...strange];
    const answers = [...names.map((name) => ask(name, {})), ...hostNames.map((name) => askHost?.(name, {}))];
    return (await Promise.all(answers)).map((answer) => answer?.error?.code);
  }, strange);
  expect(refusedOfApp).toEqual(refusedOfApp.map(() => 'not_found'));
  const refusedOfConfirmation = await booted.confirmPage.evaluate(async (strange) => {
    const { ask } = (globalThis as unknown as { countersignConfirm: Untyped }).countersignConfirm;
    const names = ['postpone', 'session.get', 'proposals.review', 'desktop.get', ...strange];
    return (await Promise.all(names.map((name) => ask(name, {})))).map((answer) => answer.error?.code);
  }, strange);
  expect(refusedOfConfirmation).toEqual(refusedOfConfirmation.map(() => 'not_found'));
});
