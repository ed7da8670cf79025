import { describe, expect, test } from 'vitest';
import { createDesktopHost } from '#renderer/api/desktop-host.ts';
import { createDesktopStore, type DesktopStore, vaultNotice } from '#renderer/stores/desktop-store.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';
import type { HostAnswer, VaultView } from '#shared/host-api/index.ts';

const weak: VaultView = { kind: 'session', reason: 'weak' };

function page(answers: Partial<Record<string, () => Promise<HostAnswer>>> = {}): {
  store: DesktopStore;
  asked: [string, unknown][];
} {
  const asked: [string, unknown][] = [];
  const host = createDesktopHost({
    async askHost(name, input) {
      asked.push([name, input]);
      return (await answers[name]?.()) ?? { output: null };
    },
    onMenuCommand: () => () => {},
    onRealWork: () => () => {},
    onUpdates: () => () => {},
  });
  return { store: createDesktopStore(host), asked };
}

const vaultIs = (vault: VaultView) => async (): Promise<HostAnswer> => ({ output: { vault } });

describe('the page on the desktop', () => {
  test('warns that secrets last for this session only, until the notice is dismissed', async () => {
    const { store } = page({ 'desktop.get': vaultIs(weak) });
    await store.getState().start();
    expect(vaultNotice(store.getState())).toMatchObject({ mayKeep: true });
    store.getState().dismissNotice();
    expect(vaultNotice(store.getState())).toBeNull();
  });

  test('shows no warning after the person allowed the weak vault to keep secrets', async () => {
    const { store } = page({
      'desktop.get': vaultIs(weak),
      'desktop.keepSecrets': vaultIs({ kind: 'consented' }),
    });
    await store.getState().start();
    await store.getState().keepSecrets();
    expect(store.getState().vault).toEqual({ kind: 'consented' });
    expect(vaultNotice(store.getState())).toBeNull();
  });

  test('shows why secrets could not be stored, and continues', async () => {
    const failure = encodeError(new AppError('vault_unusable'));
    const { store } = page({
      'desktop.get': vaultIs(weak),
      'desktop.keepSecrets': async () => ({ error: failure }),
    });
    await store.getState().start();
    await store.getState().keepSecrets();
    expect(store.getState()).toMatchObject({ vault: weak, failure: { code: 'vault_unusable' } });
    await store.getState().start();
    expect(store.getState().failure).toBeNull();
  });

  test('sends theme, retry, data folder and diagnostics requests to the host', async () => {
    const { store, asked } = page();
    const { setTheme, retry, openDataFolder, copyDiagnostics } = store.getState();
    await setTheme('dark');
    await openDataFolder();
    await copyDiagnostics();
    expect(store.getState().copied).toBe(true);
    await retry();
    expect(store.getState().copied).toBe(false);
    expect(asked).toEqual([
      ['desktop.setTheme', { theme: 'dark' }],
      ['desktop.openDataFolder', {}],
      ['desktop.copyDiagnostics', {}],
      ['desktop.retry', {}],
    ]);
  });

  test('reports that Countersign does not answer while its host is closing', async () => {
    const { store } = page({ 'desktop.retry': () => Promise.reject(new Error('The window is closing')) });
    await store.getState().retry();
    expect(store.getState().failure).toMatchObject({ code: 'core_unreachable' });
  });
});

test.each<[VaultView, boolean]>([
  [{ kind: 'sealed' }, false],
  [{ kind: 'consented' }, false],
  [weak, true],
  [{ kind: 'session', reason: 'missing' }, true],
  [{ kind: 'session', reason: 'unreadable' }, true],
])('a vault that is %o shows a notice: %s', (vault, said) => {
  const notice = vaultNotice({ vault, noticeRead: false });
  expect(notice !== null).toBe(said);
  expect(notice?.mayKeep ?? false).toBe(vault.kind === 'session' && vault.reason === 'weak');
});

test('a page in a browser sends no desktop requests', async () => {
  const store = createDesktopStore(null);
  await store.getState().start();
  await store.getState().setTheme('dark');
  expect(store.getState()).toMatchObject({ present: false, vault: null, failure: null });
  expect(vaultNotice(store.getState())).toBeNull();
});
