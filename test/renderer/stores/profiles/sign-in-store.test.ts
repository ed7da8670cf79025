import { describe, expect, test } from 'vitest';
import { createSignInStore, isUnderWay } from '#renderer/stores/profiles/sign-in-store.ts';
import type { SignInView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';

const beginning: SignInView = {
  profileId: 'live-1',
  scopes: ['svc:read'],
  state: 'preparing',
  address: null,
  opened: null,
  endsAtMs: null,
  failure: null,
};
const waiting: SignInView = {
  ...beginning,
  state: 'waiting',
  address: 'https://as.example/authorize?state=s',
  opened: true,
  endsAtMs: 300_000,
};

/** A page with a core whose sign-in state is `core.signIn`. `become` changes the state and sends the event. */
function page(signIn: SignInView | null = null) {
  const core = { signIn, busy: false, copied: '', clipboard: true };
  const bridge = fakeBridge({
    'signIn.get': () => core.signIn,
    'signIn.start': ({ profileId, scopes }) => {
      if (core.busy) throw new AppError('sign_in_running');
      return (core.signIn = { ...beginning, profileId, scopes: ['svc:read', ...scopes] });
    },
    'signIn.open': () => core.signIn,
    'signIn.cancel': () => (core.signIn = core.signIn && { ...core.signIn, state: 'cancelled' }),
  });
  const store = createSignInStore({
    bridge,
    copyText: async (text) => {
      if (!core.clipboard) throw new AppError('core_unreachable');
      core.copied = text;
    },
  });
  const stop = store.getState().start();
  const become = async (next: SignInView): Promise<void> => {
    core.signIn = next;
    bridge.emit({ kind: 'signIn.changed' });
    await settled();
  };
  return { bridge, core, store, become, stop };
}

describe('a sign-in', () => {
  test('is shown from the click to its end, and the end stays until it is dismissed', async () => {
    const { store, become } = page();
    await store.getState().begin('live-1', ['svc:write']);
    await settled();
    expect(store.getState().signIn).toMatchObject({ state: 'preparing', scopes: ['svc:read', 'svc:write'] });
    for (const state of ['waiting', 'finishing', 'done'] as const) {
      await become({ ...waiting, state });
      expect(store.getState().signIn?.state).toBe(state);
      expect(isUnderWay(store.getState().signIn)).toBe(state !== 'done');
    }
    store.getState().dismiss();
    expect(store.getState().signIn).toBeNull();
    await become({ ...waiting, state: 'done' });
    expect(store.getState().signIn).toBeNull();
  });

  test('that is running cannot be dismissed, only cancelled', async () => {
    const { store } = page();
    await store.getState().begin('live-1', []);
    store.getState().dismiss();
    expect(isUnderWay(store.getState().signIn)).toBe(true);
    await store.getState().cancel();
    expect(store.getState().signIn?.state).toBe('cancelled');
  });

  test('that began before the page was loaded is shown', async () => {
    const { bridge, store } = page(waiting);
    bridge.connect({ kind: 'connected' });
    await settled();
    expect(store.getState().signIn).toEqual(waiting);
  });

  test('that ended before the page was loaded is not reported again', async () => {
    const { bridge, store } = page({ ...waiting, state: 'failed' });
    bridge.connect({ kind: 'connected' });
    await settled();
    expect(store.getState().signIn).toBeNull();
  });

  test('that cannot begin shows the reason at its profile', async () => {
    const { core, store } = page();
    core.busy = true;
    await store.getState().begin('live-2', []);
    expect(store.getState()).toMatchObject({
      signIn: null,
      refusal: { profileId: 'live-2', failure: { code: 'sign_in_running' } },
    });
    core.busy = false;
    await store.getState().begin('live-2', []);
    expect(store.getState().refusal).toBeNull();
  });

  test('copies its address while it waits for the browser, and reports if that fails', async () => {
    const { core, store, become } = page();
    await store.getState().copyAddress();
    expect(core.copied).toBe('');
    await store.getState().begin('live-1', []);
    await become(waiting);
    core.clipboard = false;
    await store.getState().copyAddress();
    expect(store.getState()).toMatchObject({
      copied: null,
      refusal: { failure: { code: 'core_unreachable' } },
    });
    core.clipboard = true;
    await store.getState().copyAddress();
    expect(core.copied).toBe(waiting.address);
    expect(store.getState().copied).toBe(waiting.address);
  });
});
