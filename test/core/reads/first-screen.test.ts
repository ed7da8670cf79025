import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noFilter } from '#shared/app-api/index.ts';
import { type FirstScreen, maxFirstRows } from '#shared/host-api/index.ts';
import { firstScreenName, readFirstScreen } from '#system/first-screen.ts';
import { askForRestore, fetchBackup } from '#test/core/data-folder/hand-over.ts';
import { addMember, openDesktop, openLive, tokenOf } from '#test/core/connections/live-world.ts';
import { openWithAgent } from '#test/core/gateway/admission/admitted-agent.ts';
import { changeElsewhere, createWorld, proposeBid, type World } from '#test/core/proposals/world.ts';
import { has } from '#test/servers/abilities.ts';
import { openPolicyPlace } from '#test/servers/policy-place.ts';

const version = '0.0.0';

const kept = ({ folder }: Pick<World, 'folder'>): FirstScreen | null => readFirstScreen(folder, version);

const readList = ({ core }: World, filter = noFilter, page = 1) =>
  core.handlers['campaigns.page']({ filter, page, perPage: 200 });

/** Reads the list, and lets the time pass after which the file is written. */
async function keepList(world: World): Promise<void> {
  await readList(world);
  world.clock.advance(2_000);
}

describe('the file of the first screen', () => {
  test('contains the first rows of the list with their age, and the counts of that time', async () => {
    const world = await openDesktop({ campaigns: 120 });
    const page = await readList(world);
    expect(kept(world)).toBeNull();
    await proposeBid(world);
    const { campaigns: drafted } = await world.core.handlers['drafts.get']({ cids: null });
    world.clock.advance(2_000);
    expect(kept(world)).toEqual({
      version,
      keptAtMs: page.readAtMs + 2_000,
      profile: world.core.info.profile(),
      origins: [new URL(world.core.info.serviceUrl).origin],
      formats: world.core.info.shownFormats(),
      rows: page.rows.slice(0, maxFirstRows),
      total: page.total,
      readAtMs: page.readAtMs,
      waiting: 1,
      drafts: drafted.length,
    });
  });

  test('follows changes of counts and formats, and is written when the core ends', async () => {
    const world = await openDesktop();
    await keepList(world);
    await world.core.handlers['session.setFormats']({ numbers: 'none', moments: 'utc' });
    world.clock.advance(2_000);
    expect(kept(world)?.formats).toEqual({ numbers: 'none', moments: 'utc' });
    await proposeBid(world);
    await world.core.dispose();
    expect(kept(world)?.waiting).toBe(1);
  });

  test.each([
    ['a search', { ...noFilter, query: 'push' }, 1],
    ['a filter', { ...noFilter, status: 1 }, 1],
    ['another order', { ...noFilter, order: 'asc' as const }, 1],
    ['a later page', noFilter, 2],
  ])('does not contain %s, which no start shows first', async (_what, filter, page) => {
    const world = await openDesktop();
    await readList(world, filter, page);
    world.clock.advance(2_000);
    expect(kept(world)).toBeNull();
  });

  test('contains no valid token, even if a campaign contains one', async () => {
    const { world, token } = await openWithAgent({ host: 'desktop' });
    const [row] = (await readList(world)).rows;
    await changeElsewhere(world, row!.cid, { name: `see ${token}` });
    await keepList(world);
    expect(kept(world)?.rows[0]?.name).toBe('see [token removed]');
  });

  test('is removed by the next start if it is damaged', async () => {
    const world = await openDesktop();
    await world.core.dispose();
    writeFileSync(join(world.folder, firstScreenName), '{"version":', { mode: 0o600 });
    await world.restart();
    expect(existsSync(join(world.folder, firstScreenName))).toBe(false);
  });
});

test('only the desktop saves a first screen', async () => {
  const world = await createWorld({ host: 'browser' });
  await keepList(world);
  await world.core.dispose();
  expect(existsSync(join(world.folder, firstScreenName))).toBe(false);
});

describe('the file of the first screen is removed', () => {
  test('by a sign-out', async () => {
    const [live, world] = await Promise.all([openLive(), openDesktop()]);
    const { id } = await addMember(world, live);
    await keepList(world);
    expect(kept(world)?.profile.id).toBe(id);
    await world.core.handlers['profiles.signOut']({ id });
    expect(kept(world)).toBeNull();
  });

  test('when a token of another account is stored', async () => {
    const [live, world] = await Promise.all([openLive(), openDesktop()]);
    const { id } = await addMember(world, live);
    await keepList(world);
    const value = tokenOf(live, 'neighbour');
    await world.core.handlers['profiles.keepCredential']({ id, name: 'memberToken', value });
    expect(kept(world)).toBeNull();
  });

  test('when its profile is removed, and when another profile becomes active', async () => {
    const [live, world] = await Promise.all([openLive(), openDesktop()]);
    const { id } = await addMember(world, live);
    await keepList(world);
    await world.core.handlers['profiles.switch']({ id: 'demo' });
    expect(kept(world)).toBeNull();
    await world.core.handlers['profiles.switch']({ id });
    await keepList(world);
    expect(kept(world)?.profile.id).toBe(id);
    await world.core.handlers['profiles.remove']({ id });
    expect(kept(world)).toBeNull();
  });

  test.runIf(has.modes)('by a policy that stops its profile, immediately and at the next start', async () => {
    const policyPlace = openPolicyPlace();
    const [live, world] = await Promise.all([openLive(), openDesktop({ policyPlace })]);
    await addMember(world, live);
    await keepList(world);
    const followed = new Promise<void>((resolve) => {
      world.core.subscribe(({ kind }) => void (kind === 'status.changed' && resolve()));
    });
    policyPlace.write({ liveServices: [] });
    await world.core.handlers['session.status']({});
    await followed;
    expect(kept(world)).toBeNull();

    policyPlace.remove();
    await world.core.handlers['session.status']({});
    await keepList(world);
    expect(kept(world)?.profile.kind).toBe('live');
    await world.core.dispose();
    policyPlace.write({ liveServices: [] });
    await world.restart();
    expect(kept(world)).toBeNull();
  });

  test('by a restore and by a deletion of all data, before either begins', async () => {
    const world = await openDesktop();
    await keepList(world);
    await askForRestore(world.core, await fetchBackup(world.core));
    expect(kept(world)).toBeNull();
    await keepList(world);
    expect(kept(world)).toBeNull();
    const next = await world.restart();
    await keepList(next);
    expect(kept(next)).not.toBeNull();
    await next.core.handlers['data.delete']({ word: 'delete' });
    expect(kept(next)).toBeNull();
    await next.core.dispose();
    expect(kept(next)).toBeNull();
  });
});
