import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { composeCore } from '#core/compose/compose.ts';
import type { ComposeOptions } from '#core/compose/options.ts';
import { systemClock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { copyWorkspace, openTrainingStore } from '#core/store/training/index.ts';
import type { WorkspaceService } from '#core/training/workspace-core.ts';
import { createWorkspaces, type WorkspacesOptions } from '#core/training/workspaces.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { changeFile } from '#test/servers/stored-rows.ts';
import { attemptOf, writeAttempts } from './attempts.ts';
import { openTraining, type TrainingWorld } from './training-world.ts';

const hourMs = 3_600_000;

test('without a workspace all other requests are refused, and the session states that this is training', async () => {
  const { core } = await openTraining();
  expect(await core.handlers['session.get']({})).toMatchObject({
    host: 'desktop',
    profile: { kind: 'demo', name: 'Training' },
  });
  await expect(core.handlers['campaigns.get']({ cid: 1 })).rejects.toMatchObject({ code: 'no_workspace' });
  await expect(core.handlers['practice.get']({})).rejects.toMatchObject({ code: 'no_workspace' });
  await expect(core.handlers['practice.forward']({ by: 'day' })).rejects.toMatchObject({
    code: 'no_workspace',
  });
  await expect(core.handlers['practice.return']({ name: 'Any' })).rejects.toMatchObject({
    code: 'no_workspace',
  });
  expect(() => core.confirmation.look({ displayId: 'x', nonce: 'y' })).toThrow(
    expect.objectContaining({ code: 'no_workspace' }),
  );
  expect(await core.handlers['training.workspace']({})).toMatchObject({ workspace: null });
});

test('a workspace can be left and resumed unchanged, even after a restart, and is discarded without a trace', async () => {
  const first = await openTraining({ demoCampaigns: 10 });
  await first.core.handlers['training.startPractice']({});
  await expect(first.core.handlers['training.startPractice']({})).rejects.toMatchObject({
    code: 'workspace_open',
  });
  const { items } = await first.core.handlers['profiles.list']({});
  expect(items).toMatchObject([{ name: 'Training', kind: 'demo' }]);
  expect((await first.core.handlers['training.leave']({})).left).toMatchObject({ kind: 'practice' });
  expect(first.workspaces()).toHaveLength(1);

  const second = await first.restart();
  expect((await second.core.handlers['training.home']({})).left).toMatchObject({ kind: 'practice' });
  expect(await second.core.handlers['training.resume']({})).toEqual({ kind: 'practice' });
  await expect(second.core.handlers['training.resume']({})).rejects.toMatchObject({ code: 'workspace_open' });
  await second.core.handlers['training.leave']({});
  expect((await second.core.handlers['training.discard']({})).left).toBeNull();
  expect(second.workspaces()).toEqual([]);
  await expect(second.core.handlers['training.resume']({})).rejects.toMatchObject({ code: 'nothing_left' });
});

test('a workspace states when it was last open, even if the program ended after it was resumed', async () => {
  const clock = createManualClock();
  const first = await openTraining({ demoCampaigns: 10, clock });
  const lastOpenMs = async ({ core }: TrainingWorld): Promise<number> =>
    clock.nowMs() - ((await core.handlers['training.home']({})).left?.atMs ?? 0);
  await first.core.handlers['training.startPractice']({});
  clock.advance(2 * hourMs);
  await first.core.handlers['training.leave']({});
  clock.advance(hourMs);
  expect(await lastOpenMs(first)).toBe(hourMs);

  await first.core.handlers['training.resume']({});
  clock.advance(hourMs);
  const second = await first.restart();
  expect(await lastOpenMs(second)).toBe(0);
  clock.advance(hourMs);
  const third = await second.restart();
  expect(await lastOpenMs(third)).toBe(hourMs);
});

test('a folder with the previous schema keeps its attempts, and its mission cannot be resumed', async () => {
  const folder = tempFolder();
  await writeAttempts(folder, [attemptOf('Ada', 'a1')]);
  mkdirSync(join(folder, 'workspaces', 'left'), { recursive: true });
  changeFile(
    join(folder, 'training.sqlite'),
    `DROP TABLE mission;
     ALTER TABLE workspace ADD COLUMN began TEXT;
     ALTER TABLE attempt ADD COLUMN signature TEXT NOT NULL DEFAULT '';
     INSERT INTO workspace VALUES (1, 'left', 'mission', 'bids', 1, 0, x'00', NULL);
     PRAGMA user_version = 1;`,
  );
  const { core, workspaces } = await openTraining({ folder });
  const home = await core.handlers['training.home']({});
  expect(home).toMatchObject({ left: null, attempts: [{ id: 'a1' }] });
  expect(workspaces()).toEqual([]);
});

test('a workspace has no live profile, even on the desktop', async () => {
  const { core } = await openTraining({ demoCampaigns: 10 });
  await core.handlers['training.startPractice']({});
  const origin = 'http://127.0.0.1:9';
  const live = { name: 'Live', baseUrl: `${origin}/api/v1`, apiUrl: origin, mcpUrl: origin };
  await expect(
    core.handlers['profiles.add']({ ...live, zone: 'UTC', remoteAccess: 'oauth' }),
  ).rejects.toMatchObject({ code: 'live_on_desktop_only' });
});

test.each(['a saved state', 'nothing'])(
  'a replacement by %s that is interrupted at any point leaves a valid workspace and its saved states',
  async (by) => {
    const folder = tempFolder();
    const store = openTrainingStore({ folder, clock: systemClock, logger: silentLogger });
    onTestFinished(() => store.dispose());
    const root = join(folder, 'workspaces');
    const cutOff = new Error('The program ends here');
    let isCut = false;
    const options: WorkspacesOptions = {
      folder: root,
      store,
      confirmer: { via: 'desktop', show: async () => ({ address: null }), hide() {} },
      async openCore({ folder: made }) {
        if (isCut) throw cutOff;
        const core = await composeCore(coreOf(made));
        return { core, service: {} as WorkspaceService };
      },
      onRemove() {},
      clock: systemClock,
      ids: createIds(() => systemClock.nowMs()),
      logger: silentLogger,
    };
    const workspaces = createWorkspaces(options);
    const { folder: first, dispose } = await workspaces.create({ kind: 'practice', mission: null });
    const state = { name: 'Kept', folder: 'kept', atMs: 1, aheadMs: 0 };
    copyWorkspace(first, join(root, state.folder));
    store.states.keep(state);
    isCut = true;
    const after = by === 'nothing' ? null : state;
    await expect(workspaces.replace(after, dispose)).rejects.toBe(cutOff);

    expect(createWorkspaces(options).stored()).toMatchObject({ kind: 'practice' });
    expect(store.states.all()).toEqual([state]);
    expect(existsSync(join(root, state.folder))).toBe(true);
  },
);

const coreOf = (dataFolder: string): ComposeOptions => ({
  dataFolder,
  host: 'desktop',
  version: '0.0.0',
  dataKey: randomBytes(32),
  confirmer: { via: 'desktop', show: async () => ({ address: null }), hide() {} },
  policyPlace: null,
  demoCampaigns: 10,
});
