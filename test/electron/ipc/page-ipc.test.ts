import { expect, test } from 'vitest';
import { commonHandlers, setUpAppIpc, setUpDesktopIpc, workHandlers } from '#electron/ipc/page-ipc.ts';
import type { Ipc, ServedSurface } from '#electron/ipc/registrar.ts';
import { createSettings } from '#electron/platform/settings.ts';
import { appApi, type AppEvent, type RequestMap } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  type CoreState,
  desktopApi,
  type PagePlace,
  requestChannel,
  type UpdateStep,
  type UpdatesView,
  type VaultView,
} from '#shared/host-api/index.ts';

/** A registrar that passes its surfaces to the test. */
function openSurfaces() {
  const surfaces = new Map<string, ServedSurface<RequestMap>>();
  const ipc: Ipc = {
    handle(served) {
      const channel = requestChannel(served.from.origin, served.surface);
      surfaces.set(channel, served);
      return () => surfaces.delete(channel);
    },
  };
  const call = async (channel: string, name: string, input: unknown) =>
    (await surfaces.get(channel)?.answer(name, input)) ?? null;
  return { ipc, surfaces, call };
}

const [appChannel, hostChannel] = ['countersign://app app', 'countersign://app host'];

/** The app's IPC with a core that always returns this answer. */
function appIpcOver(answer: () => Promise<unknown>, place: PagePlace = 'work') {
  const opened = openSurfaces();
  const asked: unknown[][] = [];
  const sent: unknown[][] = [];
  const reviewed: string[] = [];
  let emit: (event: AppEvent) => void = () => {};
  let stand: (state: CoreState) => void = () => {};
  const page = {};
  const stop = setUpAppIpc({
    ipc: opened.ipc,
    place,
    core: {
      ask(...args) {
        asked.push(args);
        return answer();
      },
      onEvent(listener) {
        emit = listener;
        return () => {};
      },
      onState(listener) {
        stand = listener;
        return () => {};
      },
    },
    appWindow: { webContents: () => page, send: (...args) => void sent.push(args) },
    onReview: (id) => void reviewed.push(id),
  });
  const say = (event: AppEvent): void => emit(event);
  return { ...opened, asked, sent, reviewed, page, stop, say, become: (state: CoreState) => stand(state) };
}

test('the complete app API is available to the app’s page only', () => {
  const { surfaces, page, stop } = appIpcOver(async () => null);
  expect([...surfaces.keys()]).toEqual([appChannel]);
  const served = surfaces.get(appChannel);
  expect(served?.requests).toBe(appApi);
  expect(served?.from.webContents()).toBe(page);
  stop();
  expect(surfaces.size).toBe(0);
});

test('a request reaches the core as one of the page, never of the confirmation', async () => {
  const { call, asked } = appIpcOver(async () => ({ total: 3 }));
  expect(await call(appChannel, 'campaigns.types', {})).toEqual({ total: 3 });
  expect(asked).toEqual([['app', 'campaigns.types', {}]]);
});

test.each([
  ['emergencyStop.start', {}],
  ['emergencyStop.resume', {}],
  ['proposals.reviewTogether', { ids: ['p1', 'p2'] }],
  ['proposals.prepareAgain', { id: 'p1' }],
  ['proposals.review', { id: 'p1' }],
  ['ledger.reverse', { sinceMs: 1, agentId: null }],
])('%s opens the proposal that it made, or its successor', async (name, input) => {
  const made = appIpcOver(async () => ({ id: 'made', address: null, say: null }));
  await made.call(appChannel, name, input);
  expect(made.reviewed).toEqual(['made']);
});

test('an emergency stop with nothing to pause opens nothing', async () => {
  const made = appIpcOver(async () => ({ id: null, address: null, say: null }));
  await made.call(appChannel, 'emergencyStop.start', {});
  expect(made.reviewed).toEqual([]);
});

test('pressing Review opens the proposal once the core shows it, and not if the core refuses', async () => {
  const shown = appIpcOver(async () => ({ address: null }));
  await shown.call(appChannel, 'proposals.review', { id: 'p1' });
  await shown.call(appChannel, 'proposals.get', { id: 'p2' });
  expect(shown.reviewed).toEqual(['p1']);

  const refused = appIpcOver(() => Promise.reject(new AppError('proposal_not_waiting')));
  await expect(refused.call(appChannel, 'proposals.review', { id: 'p1' })).rejects.toThrow();
  expect(refused.reviewed).toEqual([]);
});

test('the page is notified of events and of the core’s state', async () => {
  const { say, become, sent } = appIpcOver(async () => null);
  say({ kind: 'ledger.changed' });
  become({ kind: 'starting' });
  expect(sent).toEqual([
    ['push:event', { kind: 'ledger.changed' }],
    ['push:core-state', { kind: 'starting' }],
  ]);
});

test('requests to the host reach only their own part of it', async () => {
  const opened = openSurfaces();
  const done: string[] = [];
  const weak: VaultView = { kind: 'session', reason: 'weak' };
  const settings = createSettings({ read: () => ({}), write: async () => undefined });
  const appWindow = { webContents: () => null };
  const opening = { view: () => weak, askConsent: async (): Promise<VaultView> => ({ kind: 'consented' }) };
  const vault = Promise.resolve(opening);
  const common = commonHandlers({
    core: { retry: () => void done.push('retry'), state: () => ({ kind: 'ready' }) },
    desktop: {
      vault,
      settings,
      copyDiagnostics: async () => void done.push('copied'),
      openDataFolder: async () => void done.push('opened'),
      openChromiumNotices: async () => void done.push('notices'),
      copyText: (text) => void done.push(`copied ${text}`),
    },
    saver: {
      begin: async (name) => ({ id: 'f1', name }),
      add: async (id, part) => void done.push(`${id}: saved ${String(part)}`),
      end: async (id, keep) => void done.push(`${id}: ${keep ? 'kept' : 'thrown away'}`),
    },
  });
  const openTraining = (): void => void done.push('training');
  const view: UpdatesView = {
    version: '1.0.0',
    state: { kind: 'idle' },
    lookedAtMs: null,
    daily: true,
  };
  const updates = {
    view: () => view,
    step: (step: UpdateStep) => void done.push(step),
    setDaily: (daily: boolean) => void done.push(daily ? 'daily' : 'on request'),
  };
  const usual = { notifications: true, startAtLogin: false, staysInTray: false };
  const work = workHandlers({
    vault,
    onFirstRows: () => void done.push('first rows'),
    openTraining,
    diagnostics: async () => 'versions and states',
    updates,
    behaviour: { now: () => usual, change: (change) => ({ ...usual, ...change }) as typeof usual },
  });
  const stop = setUpDesktopIpc({
    ipc: opened.ipc,
    place: 'work',
    appWindow,
    handlers: { ...common, ...work },
  });
  expect(opened.surfaces.get(hostChannel)?.requests).toBe(desktopApi.work);
  expect(await opened.call(hostChannel, 'desktop.coreState', {})).toEqual({ kind: 'ready' });
  expect(await opened.call(hostChannel, 'desktop.get', {})).toEqual({ vault: weak });
  expect(await opened.call(hostChannel, 'desktop.keepSecrets', {})).toEqual({ vault: { kind: 'consented' } });
  expect(await opened.call(hostChannel, 'desktop.diagnostics', {})).toEqual({ text: 'versions and states' });
  expect(await opened.call(hostChannel, 'desktop.behaviour', {})).toEqual(usual);
  expect(await opened.call(hostChannel, 'desktop.setBehaviour', { notifications: false })).toEqual({
    ...usual,
    notifications: false,
  });
  const plain = [
    'retry',
    'copyDiagnostics',
    'openDataFolder',
    'openTraining',
    'openChromiumNotices',
    'firstRows',
  ];
  for (const name of plain) {
    expect(await opened.call(hostChannel, `desktop.${name}`, {})).toBeNull();
  }
  expect(await opened.call(hostChannel, 'desktop.copyText', { text: 'an address' })).toBeNull();
  expect(done).toEqual([
    'retry',
    'copied',
    'opened',
    'training',
    'notices',
    'first rows',
    'copied an address',
  ]);
  done.length = 0;
  const id = 'f1';
  expect(await opened.call(hostChannel, 'desktop.beginFile', { name: 'a.csv' })).toEqual({
    file: { id, name: 'a.csv' },
  });
  expect(await opened.call(hostChannel, 'desktop.addToFile', { id, part: 'rows' })).toBeNull();
  expect(await opened.call(hostChannel, 'desktop.endFile', { id, keep: true })).toBeNull();
  expect(done).toEqual(['f1: saved rows', 'f1: kept']);
  done.length = 0;
  expect(await opened.call(hostChannel, 'desktop.updates', {})).toEqual(view);
  expect(await opened.call(hostChannel, 'desktop.stepUpdates', { step: 'download' })).toBeNull();
  expect(await opened.call(hostChannel, 'desktop.setDailyUpdates', { daily: false })).toBeNull();
  expect(done).toEqual(['download', 'on request']);
  expect(await opened.call(hostChannel, 'desktop.setTheme', { theme: 'dark' })).toBeNull();
  expect(settings.get('theme')).toBe('dark');
  stop();
  expect(opened.surfaces.size).toBe(0);
});

test('the training page has its own channels for its own window and origin, and none of the real ones', () => {
  const real = appIpcOver(async () => null);
  const training = appIpcOver(async () => null, 'training');
  expect([...training.surfaces.keys()].filter((name) => real.surfaces.has(name))).toEqual([]);
  for (const { from } of training.surfaces.values()) {
    expect(from.webContents()).toBe(training.page);
    expect(from.origin).toBe('countersign://training');
  }
});
