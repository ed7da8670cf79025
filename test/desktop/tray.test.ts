import { afterAll, beforeAll, expect, test } from 'vitest';
import { appId } from '#shared/host-api/index.ts';
import { electronForThisFile } from '../servers/electron-runtime.ts';
import { startDesktopScene, type DesktopScene } from './confirmation/scene.ts';

const bed = electronForThisFile();
let scene: DesktopScene;

beforeAll(async () => {
  scene = await startDesktopScene(bed);
});
afterAll(() => scene.close());

test('the tray exists before the app waits for the vault', async () => {
  const steps = await scene.electron.evaluate(
    () => (globalThis as unknown as { seenByHost: { steps: string[] } }).seenByHost.steps,
  );
  expect(steps).toContain('vault');
  expect(steps[0]).toBe('tray');
});

test('Windows knows the app’s name before it is ready, and so before any window or notification', async () => {
  const appModel = await scene.electron.evaluate(
    () => (globalThis as unknown as { seenByHost: { appModel: unknown } }).seenByHost.appModel,
  );
  expect(appModel).toEqual({ id: appId, wasReady: false });
});
