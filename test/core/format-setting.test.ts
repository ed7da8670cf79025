import { expect, test } from 'vitest';
import { composeTraining } from '#core/compose/training.ts';
import { openAppStore } from '#core/store/app/index.ts';
import { silentLogger } from '#core/platform/logger.ts';
import type { AppEvent } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { defaultShownFormats } from '#shared/lib/formats.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { campaignNow, createWorld, findCampaign, type World } from './proposals/world.ts';

const spaced = { numbers: 'space', moments: 'utc' } as const;

/** Proposes a higher daily budget with a thousands separator: 2,345.50 a day by default. */
async function proposeBudget(world: World, to = 2_345.5): Promise<{ id: string; cid: number }> {
  const { campaigns: drafted } = await world.core.handlers['drafts.get']({ cids: null });
  const held = new Set(drafted.map(({ cid }) => cid));
  const row = await findCampaign(world, (one) => one.status === 1 && one.d_revenue > 0 && !held.has(one.cid));
  const campaign = await campaignNow(world, row.cid);
  const changes = [
    { field: 'd_revenue', from: Number(campaign['d_revenue']), to },
    { field: 'enable_budget', from: Number(campaign['enable_budget']), to: 1 },
    { field: 't_revenue', from: Number(campaign['t_revenue']), to: 90_000 },
  ].filter(({ from, to: wanted }) => from !== wanted);
  const { id } = await proposeUpdate(world.core.handlers, { cid: row.cid, changes });
  return { id, cid: row.cid };
}

test('numbers and times use the format that the user set, in every later text and after a restart', async () => {
  const world = await createWorld();
  const { handlers } = world.core;
  const heard: AppEvent['kind'][] = [];
  world.core.subscribe(({ kind }) => heard.push(kind));
  expect((await handlers['session.get']({})).formats).toEqual(defaultShownFormats);
  const { id } = await proposeBudget(world);
  expect(JSON.stringify(await handlers['proposals.get']({ id }))).toContain('$2,345.50');

  await handlers['session.setFormats'](spaced);
  expect(heard).toContain('formats.changed');
  const text = JSON.stringify(await handlers['proposals.get']({ id }));
  expect(text).toContain('$2\u202F345.50');
  expect(text).not.toContain('2,345.50');
  const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 5 });
  expect(items[0]?.perDay.after.text).toBe('$2\u202F345.50');

  const again = await world.restart();
  expect((await again.core.handlers['session.get']({})).formats).toEqual(spaced);
  expect(JSON.stringify(await again.core.handlers['proposals.get']({ id }))).toContain('$2\u202F345.50');
});

test('a displayed change whose numbers get another format can be decided as before, and is sent unchanged', async () => {
  const world = await createWorld();
  const { id, cid } = await proposeBudget(world);
  const display = await world.look(id);
  expect(display.formats).toEqual(defaultShownFormats);
  await world.core.handlers['session.setFormats'](spaced);
  const now = world.core.confirmation.look(display);
  expect(now).toMatchObject({ formats: spaced, fingerprint: display.fingerprint, nonce: display.nonce });
  expect(JSON.stringify(now.proposal)).toContain('2\u202F345.50');
  // The text to type has no separator in any format.
  expect(now.proposal.typeToConfirm).toEqual(display.proposal.typeToConfirm);
  const { proposal, again } = await world.approve(display);
  expect(again).toBeNull();
  expect(proposal.state).toBe('verified');
  expect((await campaignNow(world, cid))['d_revenue']).toBe(2_345.5);
});

test('texts of the service keep the usual format', async () => {
  const world = await createWorld();
  await world.core.handlers['session.setFormats'](spaced);
  const row = await findCampaign(world, ({ status }) => status === 1);
  const campaign = await campaignNow(world, row.cid);
  const body = JSON.stringify({
    ...campaign,
    enable_budget: 1,
    d_revenue: 0.5,
    t_revenue: 90_000,
    payout: 1e6,
  });
  const failure: unknown = await world.other.update(row.cid, body).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AppError);
  expect(JSON.stringify(failure instanceof AppError && failure.fields)).not.toContain('\u202F');
});

test.each([[{ numbers: 'german', moments: 'utc' }], [{ numbers: 'comma', moments: 'Europe/Berlin' }], [{}]])(
  'the format %j is refused',
  async (formats) => {
    const { core } = await createWorld();
    const set = core.handlers['session.setFormats'] as (input: unknown) => Promise<unknown>;
    await expect(set(formats)).rejects.toMatchObject({ code: 'bad_input' });
    expect((await core.handlers['session.get']({})).formats).toEqual(defaultShownFormats);
  },
);

test.each(['no JSON', '{"numbers":"german"}', '[]'])(
  'a core starts with the usual format if the stored setting is %s',
  async (stored) => {
    const world = await createWorld();
    await world.core.dispose();
    const store = openAppStore({ folder: world.folder, clock: world.clock, logger: silentLogger });
    store.settings.set('shown.formats', stored);
    await store.dispose();
    const again = await world.restart();
    expect((await again.core.handlers['session.get']({})).formats).toEqual(defaultShownFormats);
  },
);

test('training uses the format of the real app and cannot change it', async () => {
  const world = await createWorld();
  await world.core.handlers['session.setFormats'](spaced);
  const training = await composeTraining({
    dataFolder: tempFolder(),
    host: 'browser',
    version: '0.0.0',
    followedFormats: world.core.info.shownFormats,
    confirmer: { via: 'browser', show: async () => ({ address: null }), hide: () => undefined },
  });
  try {
    const { handlers } = training;
    expect((await handlers['session.get']({})).formats).toEqual(spaced);
    await handlers['training.setName']({ name: 'Ada' });
    await handlers['training.startPractice']({});
    expect((await handlers['training.workspace']({})).formats).toEqual(spaced);
    await expect(handlers['session.setFormats'](defaultShownFormats)).rejects.toMatchObject({
      code: 'formats_elsewhere',
    });
  } finally {
    await training.dispose();
  }
});
