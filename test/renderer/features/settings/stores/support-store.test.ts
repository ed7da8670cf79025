import { expect, test } from 'vitest';
import { createSupportStore } from '#renderer/features/settings/stores/support-store.ts';
import { AppError } from '#shared/errors/index.ts';
import { fakeBridge } from '#test/renderer/support/fake-bridge.ts';

const away = (): never => {
  throw new AppError('core_unreachable');
};

async function collected(ofCore: () => { text: string }, hostDiagnostics: (() => Promise<string>) | null) {
  const store = createSupportStore({
    bridge: fakeBridge({ 'data.diagnostics': ofCore }),
    newFile: async () => null,
    hostDiagnostics,
    nowMs: () => 0,
  });
  await store.getState().collect();
  return store.getState();
}

test('the support bundle contains the diagnostics of the core and of the desktop', async () => {
  expect(
    (
      await collected(
        () => ({ text: 'core' }),
        async () => 'desktop',
      )
    ).text,
  ).toBe('core\n\ndesktop');
  expect((await collected(() => ({ text: 'core' }), null)).text).toBe('core');
});

test('the bundle names a part that could not be collected, and contains the other part', async () => {
  const withoutCore = await collected(away, async () => 'desktop');
  expect(withoutCore.text).toMatch(/^A part could not be collected: .*\(core_unreachable\)\n\ndesktop$/u);
  expect(withoutCore.failure).toBeNull();
  expect(
    (
      await collected(
        () => ({ text: 'core' }),
        async () => away(),
      )
    ).text,
  ).toMatch(/^core\n\nA part could not/u);
});

test('if nothing can be collected, the reason is shown and there is no bundle', async () => {
  expect(await collected(away, null)).toMatchObject({ text: null, failure: { code: 'core_unreachable' } });
});
