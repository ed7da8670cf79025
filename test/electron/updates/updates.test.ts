import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { setSystemNetwork } from '#system/http/system-network.ts';
import { startTunnelProxy, publicName } from '#test/servers/company-network.ts';
import { expectMode } from '#test/servers/file-mode.ts';
import { updateName } from '#test/servers/update-server.ts';
import { installation, newApp } from './installation.ts';

const hourMs = 60 * 60_000;

test('an update is found, downloaded, verified and replaces the old app', async () => {
  const app = await installation();
  const seen: string[] = [];
  app.updates.onView(({ state }) => {
    if (seen.at(-1) !== state.kind) seen.push(state.kind);
  });
  expect(await app.step('look')).toMatchObject({
    kind: 'available',
    offer: {
      version: '1.1.0',
      bytes: newApp.length,
      news: ['Reports load faster', 'The ledger can be searched'],
    },
  });
  expect(await app.step('download')).toMatchObject({ kind: 'ready' });
  const file = join(app.folder, 'download/pending', updateName);
  expectMode(app.folder, 0o700);
  expectMode(file, 0o700);
  // An ordinary quit installs no update that nobody has requested.
  expect(app.updates.installAtEnd()).toBe(false);
  expect(app.started).toEqual([]);

  app.updates.step('install');
  await expect.poll(() => app.ended).toBe(1);
  app.updates.installAtEnd();
  expect(app.installed()).toEqual(newApp);
  expectMode(app.appImage, 0o755);
  expect(app.started).toEqual([app.appImage]);
  expect(seen).toEqual(['looking', 'available', 'downloading', 'ready', 'waiting', 'installing']);
});

test('an update that is signed with the next key is accepted', async () => {
  const app = await installation();
  app.publisher.publish({}, app.publisher.keys[1]);
  expect(await app.step('look')).toMatchObject({ kind: 'available' });
});

test('the app reports that it is up to date', async () => {
  const app = await installation();
  app.publisher.publish({ version: '1.0.0' });
  expect(await app.step('look')).toEqual({ kind: 'idle' });
  expect(app.updates.view().lookedAtMs).toBe(app.nowMs);
});

test('if the administrator’s policy forbids updates, nothing is searched, downloaded or installed', async () => {
  const app = await installation();
  await app.step('look');
  await app.step('download');
  app.isForbidden = true;
  app.updates.step('install');
  const off = { kind: 'off', because: 'policy' };
  await expect.poll(() => app.updates.view().state).toEqual(off);
  expect(app.ended).toBe(0);
  expect(app.updates.installAtEnd()).toBe(false);

  const another = await installation();
  another.isForbidden = true;
  expect(await another.step('look')).toEqual(off);
  expect(await another.step('look')).toEqual(off);
  expect(another.updates.view().lookedAtMs).toBeNull();

  // The policy is corrected while the app runs.
  another.isForbidden = false;
  expect(await another.step('look')).toMatchObject({ kind: 'available' });
});

test('an installation waits while a person decides or something is sent, and can be cancelled', async () => {
  const app = await installation();
  await app.step('look');
  await app.step('download');
  app.busy = 'decision';
  app.updates.step('install');
  await expect.poll(() => app.updates.view().state).toMatchObject({ kind: 'waiting', for: 'decision' });
  app.busy = 'sending';
  app.timers.pass(1_000);
  await expect.poll(() => app.updates.view().state).toMatchObject({ kind: 'waiting', for: 'sending' });
  app.updates.step('cancel');
  expect(app.updates.view().state.kind).toBe('ready');
  app.busy = null;
  app.timers.pass(5_000);
  expect(app.ended).toBe(0);
  app.updates.step('install');
  await expect.poll(() => app.ended).toBe(1);
});

test('the app checks once a day, ignores an unreachable server, and does not check if forbidden', async () => {
  const app = await installation();
  const lists = (): number =>
    app.publisher.service.received.filter((one) => one.endsWith('feed.json')).length;
  app.timers.pass(59_000);
  expect(lists()).toBe(0);
  app.timers.pass(1_000);
  await expect.poll(() => app.updates.view().state.kind).toBe('available');
  app.nowMs += 23 * hourMs;
  app.timers.pass(23 * hourMs);
  expect(app.updates.view().state.kind).toBe('available');
  expect(lists()).toBe(1);

  app.publisher.serve('feed.json', null);
  app.nowMs += hourMs;
  app.timers.pass(hourMs);
  await expect.poll(lists).toBe(2);
  // The update found by an earlier check is still offered.
  await expect.poll(() => app.updates.view().state.kind).toBe('available');

  app.updates.setDaily(false);
  app.nowMs += 48 * hourMs;
  app.timers.pass(48 * hourMs);
  expect(app.updates.view()).toMatchObject({ daily: false, state: { kind: 'available' } });
  expect(lists()).toBe(2);
});

test('an update whose feed has expired since is not installed', async () => {
  const app = await installation();
  await app.step('look');
  await app.step('download');
  app.nowMs += 31 * 24 * hourMs;
  app.updates.step('install');
  await expect
    .poll(() => app.updates.view().state)
    .toMatchObject({ kind: 'refused', failure: { code: 'update_feed_expired' } });
  expect(app.ended).toBe(0);
});

test('an app that cannot be replaced reports that before it ends', async () => {
  const app = await installation();
  await app.step('look');
  await app.step('download');
  const apps = dirname(app.appImage);
  renameSync(apps, `${apps}.away`);
  app.updates.step('install');
  await expect
    .poll(() => app.updates.view().state)
    .toMatchObject({ kind: 'refused', failure: { code: 'update_not_installed' } });
  expect(app.ended).toBe(0);
});

test('updates use the system’s proxy', async () => {
  const proxy = await startTunnelProxy();
  const app = await installation({ feed: ({ service }) => `${service.origin}/updates/` });
  const used = setSystemNetwork({
    certificates: () => [app.publisher.service.authority],
    proxiesFor: async () => proxy.rule,
  });
  onTestFinished(used.dispose);
  expect(await app.step('look')).toMatchObject({ kind: 'available' });
  expect(await app.step('download')).toMatchObject({ kind: 'ready' });
  expect(new Set(proxy.asked)).toEqual(new Set([`${publicName}:${app.publisher.service.port}`]));
});
