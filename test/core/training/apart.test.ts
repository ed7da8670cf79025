import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import { missionIds } from '#shared/training/index.ts';
import { createWorld, type World } from '#test/core/proposals/world.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { startMission, workspacesLater } from './player.ts';
import { smallPlan } from './small-plan.ts';
import { openTraining } from './training-world.ts';

/** Returns every trace that a write, an agent or a request would leave in a core. */
async function traces({ core, service }: World) {
  const { handlers } = core;
  const { items } = await handlers['proposals.list']({ which: 'past', before: null, limit: 100 });
  const { agents } = await handlers['agents.get']({});
  const { rows } = await handlers['ledger.report']({});
  // The core itself reads from time to time, so reads are excluded.
  const requests = service.requestLog().filter(({ method }) => method !== 'GET');
  return { waiting: (await handlers['session.status']({})).waiting, items, agents, rows, requests };
}

test('a mission leaves no trace in the real core, and only its attempt in its own folder', async () => {
  const real = await createWorld();
  const before = await traces(real);
  const folder = join(real.folder, 'training');
  const files = new Set(readdirSync(real.folder));
  const { world, clock, player } = await startMission({
    folder,
    demoCampaigns: 20,
    planMission: smallPlan(),
    answer: () => 'approve',
  });
  const { handlers } = world.core;
  await handlers['training.begin']({});
  const { attempt } = await player.play();
  expect(attempt.score.missed).toBe(1);
  await expect.poll(() => workspacesLater(world, clock)).toEqual([]);

  expect(await traces(real)).toEqual(before);
  expect(readdirSync(real.folder).filter((name) => !files.has(name))).toEqual(['training']);
  const kept = readdirSync(folder).filter((name) => !/^(?:lock\.|training\.sqlite)/u.test(name));
  expect(kept).toEqual(['workspaces']);
  await expect(real.core.handlers['training.home']({})).rejects.toMatchObject({ code: 'training_only' });
  const past = { which: 'past', before: null, limit: 10 } as const;
  await expect(handlers['proposals.list'](past)).rejects.toMatchObject({ code: 'no_workspace' });
});

test('the page of a closed workspace is still answered until it has reloaded', async () => {
  const clock = createManualClock();
  const world = await openTraining({ clock, demoCampaigns: 10 });
  const { handlers } = world.core;
  await handlers['training.startPractice']({});
  // A backup of training could be restored as real work.
  for (const name of ['data.backupStart', 'data.restoreStart'] as const)
    await expect(handlers[name]({})).rejects.toMatchObject({ code: 'workspace_kind' });
  const word = 'delete';
  await expect(handlers['data.delete']({ word })).rejects.toMatchObject({ code: 'workspace_kind' });
  const before = await handlers['practice.get']({});
  expect(await handlers['training.leave']({})).toMatchObject({ left: { kind: 'practice' } });
  expect(await handlers['practice.get']({})).toEqual(before);
  expect(await handlers['session.status']({})).toMatchObject({ waiting: 0 });
  await expect(handlers['practice.forward']({ by: 'day' })).rejects.toMatchObject({ code: 'no_workspace' });
  clock.advance(3_000);
  await expect(handlers['practice.get']({})).rejects.toMatchObject({ code: 'no_workspace' });
  await expect(handlers['session.status']({})).rejects.toMatchObject({ code: 'no_workspace' });

  // The next workspace opens after the previous one has closed.
  await handlers['training.resume']({});
  await handlers['training.leave']({});
  expect(await handlers['training.resume']({})).toEqual({ kind: 'practice' });
});

test('a confirmation of a closed workspace is hidden and cannot be decided', async () => {
  const { world, clock, player } = await startMission({
    demoCampaigns: 20,
    planMission: smallPlan(),
    answer: () => 'leave',
  });
  const { handlers, confirmation } = world.core;
  await handlers['training.begin']({});
  await player.until(async () => world.shown.length > 0);
  const { displayId, nonce, fingerprint } = world.shown.at(-1)!;
  confirmation.seen({ displayId, nonce });
  clock.advance(1_000);
  await handlers['training.leave']({});
  expect(world.hidden).toContain(displayId);
  const approve = { decision: 'approve', reason: null, typed: null } as const;
  const decision = confirmation.decide({ displayId, nonce, fingerprint, ...approve });
  await expect(decision).rejects.toMatchObject({ code: 'no_workspace' });
});

test('training loads no picture from the network, whatever address a campaign names', async () => {
  const names: string[] = [];
  const elsewhere = { url: 'https://cdn.elsewhere.example/a.png', width: 192, height: 192 };
  let cid = 0;
  const { core } = await openTraining({
    demoCampaigns: 60,
    pictureNetwork: { lookup: async (name) => (names.push(name), ['93.184.216.34']) },
    planMission(mission, seed, workspace) {
      cid = Number(workspace.campaigns.find(({ icon }) => isJsonObject(icon))?.['cid']);
      return { ...smallPlan()(mission, seed, workspace), campaigns: [{ cid, fields: { icon: elsewhere } }] };
    },
  });
  const { handlers } = core;
  await handlers['training.setName']({ name: 'Ada' });
  await handlers['training.startMission']({ mission: 'bids' });
  await handlers['campaigns.get']({ cid });
  const { pictures } = await handlers['pictures.ofCampaign']({ cid });
  const [other, own] = pictures;
  expect([other, own]).toMatchObject([{ url: elsewhere.url, isOwn: false }, { isOwn: true }]);
  await expect(handlers['pictures.load']({ cid, url: elsewhere.url })).rejects.toMatchObject({
    code: 'picture_address_refused',
  });
  expect(names).toEqual([]);
  expect(await handlers['pictures.load']({ cid, url: own?.url ?? '' })).toMatchObject({ width: 492 });
});

test('a mission needs the trainee’s name', async () => {
  const { core } = await openTraining({ demoCampaigns: 20 });
  await expect(core.handlers['training.startMission']({ mission: 'bids' })).rejects.toMatchObject({
    code: 'trainee_missing',
  });
});

test('only one mission or practice can be open at a time, and a mission discarded before its start is no attempt', async () => {
  const { world } = await startMission({
    demoCampaigns: 20,
    planMission: smallPlan(),
    answer: () => 'leave',
  });
  const { handlers } = world.core;
  for (const mission of missionIds.slice(0, 2)) {
    await expect(handlers['training.startMission']({ mission })).rejects.toMatchObject({
      code: 'workspace_open',
    });
  }
  await expect(handlers['training.startPractice']({})).rejects.toMatchObject({ code: 'workspace_open' });
  await expect(handlers['practice.get']({})).rejects.toMatchObject({ code: 'workspace_kind' });
  await expect(handlers['training.discard']({})).rejects.toMatchObject({ code: 'workspace_open' });
  await handlers['training.leave']({});
  expect((await handlers['training.discard']({})).attempts).toEqual([]);
});
