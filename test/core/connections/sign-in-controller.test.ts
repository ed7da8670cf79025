import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFaults } from '#core/backend/index.ts';
import type { SchedulesView, SignInView } from '#shared/app-api/index.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { createWorld, type World } from '#test/core/proposals/world.ts';
import { startBrokenService } from '#test/servers/broken-service.ts';
import { startFakeService } from '#test/servers/fake-service.ts';
import {
  addMember,
  finishInBrowser,
  inputFor,
  isOver,
  openDesktop,
  openLive,
  signInTo,
  startLive,
  tokenOf,
  untilSignIn,
} from './live-world.ts';
import { eventually } from '#test/setup/eventually.ts';

let live: RunningBackend;

beforeAll(async () => {
  live = await startLive();
});
afterAll(() => live.dispose());

/** Opens the desktop with a live profile, and records the addresses that are opened in the browser. */
async function openSignedOut(
  openLink: (address: string) => Promise<boolean> = async () => true,
): Promise<{ world: World; id: string; links: string[] }> {
  const links: string[] = [];
  const world = await openDesktop({
    openLink(address) {
      links.push(address);
      return openLink(address);
    },
  });
  const { id } = await world.core.handlers['profiles.add'](inputFor(live));
  return { world, id, links };
}

const isWaiting = ({ state, opened }: SignInView): boolean => state === 'waiting' && opened !== null;

function signInState(world: World, id: string) {
  return world.core.handlers['profiles.list']({}).then(
    ({ items }) => items.find((item) => item.id === id)?.signIn,
  );
}

async function waiting(world: World, profileId: string): Promise<SignInView> {
  await world.core.handlers['signIn.start']({ profileId, scopes: [] });
  return untilSignIn(world, isWaiting);
}

describe('a sign-in through the browser', () => {
  test('leads from the click to a grant and reports each step', async () => {
    const { world, id, links } = await openSignedOut();
    const states: string[] = [];
    world.core.subscribe(({ kind }) => {
      if (kind === 'signIn.changed') {
        void world.core.handlers['signIn.get']({}).then((view) => states.push(view?.state ?? ''));
      }
    });
    const begun = await world.core.handlers['signIn.start']({ profileId: id, scopes: ['svc:write'] });
    expect(begun).toEqual({
      profileId: id,
      scopes: ['svc:read', 'svc:write'],
      state: 'preparing',
      address: null,
      opened: null,
      endsAtMs: null,
      failure: null,
    });
    const view = await untilSignIn(world, isWaiting);
    expect(view).toMatchObject({ opened: true, endsAtMs: world.clock.nowMs() + 5 * 60_000 });
    expect(links).toEqual([view.address]);
    expect(new URL(view.address ?? '').searchParams.get('scope')?.split(' ')).toEqual([
      'svc:read',
      'svc:write',
    ]);

    expect((await finishInBrowser(view, live)).status).toBe(200);
    expect(await untilSignIn(world, isOver)).toMatchObject({
      state: 'done',
      address: null,
      endsAtMs: null,
      scopes: ['svc:read', 'svc:write'],
    });
    expect([...new Set(states)]).toEqual(['preparing', 'waiting', 'finishing', 'done']);
    expect(await signInState(world, id)).toEqual({
      state: 'held',
      scopes: ['svc:read', 'svc:write'],
      signedInAtMs: world.clock.nowMs(),
    });
  });

  test('names the account if no token has, and requests granted scopes together with new ones', async () => {
    const { world, id } = await openSignedOut();
    await signInTo(world, live, id);
    const account = String(live.credentials.accounts.buyer.uid);
    await expect
      .poll(() => world.core.handlers['profiles.list']({}).then(({ items }) => items[1]?.account))
      .toBe(account);
    const more = await world.core.handlers['signIn.start']({
      profileId: id,
      scopes: ['svc:upload', 'svc:write'],
    });
    expect(more.scopes).toEqual(['svc:read', 'svc:upload', 'svc:write']);
    await finishInBrowser(await untilSignIn(world, isWaiting), live);
    await untilSignIn(world, isOver);
    const again = await world.core.handlers['signIn.start']({ profileId: id, scopes: ['offline_access'] });
    expect(new Set(again.scopes)).toEqual(new Set(['svc:read', 'svc:upload', 'svc:write', 'offline_access']));
  });

  test('can be opened again if no browser opened', async () => {
    let works = false;
    const { world, id, links } = await openSignedOut(async () => {
      if (!works) throw new Error('No browser');
      return true;
    });
    const view = await waiting(world, id);
    expect(view.opened).toBe(false);
    works = true;
    await world.core.handlers['signIn.open']({});
    await untilSignIn(world, ({ opened }) => opened === true);
    expect(links).toEqual([view.address, view.address]);
  });
});

describe('a sign-in to another account', () => {
  type Owner = 'buyer' | 'neighbour';
  const uidOf = (owner: Owner): string => String(live.credentials.accounts[owner].uid);
  const accountShown = (world: World, id: string) =>
    world.core.handlers['profiles.list']({}).then(
      ({ items }) => items.find((item) => item.id === id)?.account,
    );
  /** Uses the remote tools, as agents, schedules and uploads do. Resolves with the schedules when the read has ended. */
  async function useTools({ core: { handlers } }: World): Promise<SchedulesView> {
    await handlers['schedules.list']({ read: true });
    return eventually(async () => {
      const view = await handlers['schedules.list']({ read: false });
      expect(view.state).not.toBe('reading');
      return view;
    });
  }
  const paste = (world: World, id: string, owner: Owner) =>
    world.core.handlers['profiles.keepCredential']({ id, name: 'memberToken', value: tokenOf(live, owner) });

  test('that differs from the member token’s account is ended with both accounts named', async () => {
    const world = await openDesktop();
    const { id } = await addMember(world, live);
    const view = await signInTo(world, live, id, ['offline_access'], 'neighbour');
    expect(view).toMatchObject({ state: 'failed', failure: { code: 'account_changed' } });
    expect(view.failure?.message).toContain(`account “${uidOf('neighbour')}”`);
    expect(view.failure?.message).toContain(`account “${uidOf('buyer')}”`);
    expect((await signInState(world, id))?.state).toBe('none');
    expect(await accountShown(world, id)).toBe(uidOf('buyer'));
  });

  test('keeps the earlier sign-in, which still opens the tools', async () => {
    const world = await openDesktop();
    const { id } = await addMember(world, live);
    await signInTo(world, live, id, ['offline_access']);
    const before = await signInState(world, id);
    expect((await signInTo(world, live, id, [], 'neighbour')).state).toBe('failed');
    expect(await signInState(world, id)).toEqual(before);
    expect(await useTools(world)).toMatchObject({ state: 'idle', failure: null });
  });

  test('sets the account of a profile without a member token', async () => {
    const { world, id } = await openSignedOut();
    await signInTo(world, live, id);
    expect((await signInTo(world, live, id, [], 'neighbour')).state).toBe('done');
    expect(await accountShown(world, id)).toBe(uidOf('neighbour'));
  });

  test('refuses a member token of the earlier account', async () => {
    const { world, id } = await openSignedOut();
    await signInTo(world, live, id, [], 'neighbour');
    await expect(paste(world, id, 'buyer')).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'value', code: 'other_account' }],
    });
    expect((await paste(world, id, 'neighbour')).account).toBe(uidOf('neighbour'));
  });

  test('opens no tools once a campaign has named the account of the member token', async () => {
    const faults = createFaults();
    const failing = await openLive({ faults });
    const world = await openDesktop();
    const { id } = await world.core.handlers['profiles.add'](inputFor(failing));
    await world.core.handlers['profiles.switch']({ id });
    await signInTo(world, failing, id, ['offline_access']);
    const repair = faults.arm({ kind: 'answer', status: 500, path: '/login/campaigns', lasts: true });
    const value = tokenOf(failing, 'neighbour');
    await world.core.handlers['profiles.keepCredential']({ id, name: 'memberToken', value });
    repair();
    expect(await useTools(world)).toMatchObject({ state: 'idle', failure: null });
    const { rows } = await world.core.handlers['campaigns.page']({
      filter: { query: '', status: 1, types: [], sort: 'cid', order: 'asc' },
      page: 1,
      perPage: 1,
    });
    await world.core.handlers['campaigns.proposeStatus']({ cids: [rows[0]?.cid ?? 0], status: 3 });
    expect(await accountShown(world, id)).toBe(String(failing.credentials.accounts.neighbour.uid));
    expect(await useTools(world)).toMatchObject({ state: 'failed', failure: { code: 'account_changed' } });
  });

  test('is ended if the service cannot name its account', async () => {
    const faults = createFaults();
    const failing = await openLive({ faults });
    const world = await openDesktop();
    const { id } = await addMember(world, failing);
    await world.core.handlers['signIn.start']({ profileId: id, scopes: [] });
    const view = await untilSignIn(world, isWaiting);
    faults.arm({ kind: 'answer', status: 503, path: '/mcp', lasts: true });
    await finishInBrowser(view, failing);
    expect(await untilSignIn(world, isOver)).toMatchObject({
      state: 'failed',
      failure: { code: 'service_unavailable' },
    });
    expect((await signInState(world, id))?.state).toBe('none');
  });
});

describe('a sign-in ends', () => {
  test('when the user cancels or denies it or takes more than five minutes, and only one is open at a time', async () => {
    const { world, id } = await openSignedOut();
    const { handlers } = world.core;
    const { address } = await waiting(world, id);
    await expect(handlers['signIn.start']({ profileId: id, scopes: [] })).rejects.toMatchObject({
      code: 'sign_in_running',
    });
    await handlers['signIn.cancel']({});
    expect(await untilSignIn(world, isOver)).toMatchObject({
      state: 'cancelled',
      address: null,
      failure: { code: 'sign_in_cancelled' },
    });
    const again = await waiting(world, id);
    expect(again.address).not.toBe(address);
    expect((await signInState(world, id))?.state).toBe('none');

    await finishInBrowser(again, live, { decision: 'deny' });
    expect(await untilSignIn(world, isOver)).toMatchObject({
      state: 'failed',
      failure: { code: 'sign_in_refused', next: expect.stringMatching(/allow/i) as string },
    });

    await waiting(world, id);
    world.clock.advance(5 * 60_000 - 1);
    expect((await handlers['signIn.get']({}))?.state).toBe('waiting');
    world.clock.advance(1);
    expect(await untilSignIn(world, isOver)).toMatchObject({
      state: 'failed',
      failure: { code: 'sign_in_timed_out' },
    });
  });

  test('when the service offers no sign-in', async () => {
    const fake = await startFakeService();
    fake.answerWith({ kind: 'answer', status: 404, body: '{}' });
    const world = await openDesktop();
    const mcpUrl = new URL(fake.baseUrl).origin;
    const { id } = await world.core.handlers['profiles.add'](inputFor(live, { mcpUrl }));
    await world.core.handlers['signIn.start']({ profileId: id, scopes: [] });
    expect(await untilSignIn(world, isOver)).toMatchObject({
      state: 'failed',
      failure: { code: 'discovery_failed' },
    });
  });

  test('when its profile is removed, and nothing is stored', async () => {
    const { world, id } = await openSignedOut();
    const view = await waiting(world, id);
    await world.core.handlers['profiles.remove']({ id });
    expect((await world.core.handlers['signIn.get']({}))?.state).toBe('cancelled');
    await expect(finishInBrowser(view, live)).rejects.toThrow();
    expect((await world.core.handlers['profiles.list']({})).items).toHaveLength(1);
  });

  test('when its profile gets other addresses', async () => {
    const { world, id } = await openSignedOut();
    await waiting(world, id);
    await world.core.handlers['profiles.edit']({
      ...inputFor(live, { mcpUrl: 'https://mcp.example.com' }),
      id,
    });
    expect((await world.core.handlers['signIn.get']({}))?.state).toBe('cancelled');
    expect((await signInState(world, id))?.state).toBe('none');
  });

  test('when the program ends', async () => {
    const { world, id } = await openSignedOut();
    const view = await waiting(world, id);
    await world.core.dispose();
    await expect(finishInBrowser(view, live)).rejects.toThrow();
  });
});

describe('signing out', () => {
  test('revokes the grant at the service, deletes every credential, and cancels an unfinished sign-in', async () => {
    const { world, id } = await openSignedOut();
    const value = live.credentials.accounts.buyer.memberToken;
    await world.core.handlers['profiles.keepCredential']({ id, name: 'memberToken', value });
    await signInTo(world, live, id);
    const { revocation, profile } = await world.core.handlers['profiles.signOut']({ id });
    expect(revocation).toBe('revoked');
    expect(profile).toMatchObject({
      signIn: { state: 'none', scopes: [] },
      memberToken: { state: 'none' },
      publisherKey: { state: 'none' },
    });
    await waiting(world, id);
    await world.core.handlers['profiles.signOut']({ id });
    expect((await world.core.handlers['signIn.get']({}))?.state).toBe('cancelled');
  });

  test('deletes pasted credentials before the service is notified', async () => {
    const faults = createFaults();
    const leaving = await openLive({ faults });
    const world = await openDesktop();
    const { id } = await addMember(world, leaving);
    await signInTo(world, leaving, id);
    const held: (string | undefined)[] = [];
    const look = async (): Promise<void> => {
      const { items } = await world.core.handlers['profiles.list']({});
      held.push(items.find((item) => item.id === id)?.memberToken.state);
    };
    faults.arm({ kind: 'meanwhile', path: '/.well-known/oauth-protected-resource', run: look });
    expect(await world.core.handlers['profiles.signOut']({ id })).toMatchObject({ revocation: 'revoked' });
    expect(held).toEqual(['none']);
  });

  test('ends a running doctor examination that uses the credentials', async () => {
    let isSilent = false;
    const { addresses, received } = await startBrokenService(live.port, {
      instead: () => (isSilent ? 'silence' : null),
    });
    const { handlers } = (await openDesktop()).core;
    const { id } = await handlers['profiles.add']({ ...inputFor(live), ...addresses });
    await handlers['profiles.keepCredential']({ id, name: 'memberToken', value: tokenOf(live, 'buyer') });
    isSilent = true;
    const before = received.length;
    await handlers['doctor.start']({ profileId: id });
    await handlers['profiles.signOut']({ id });
    await expect.poll(async () => (await handlers['doctor.get']({}))?.endedAtMs).not.toBeNull();
    const report = await handlers['doctor.get']({});
    expect(report?.steps.every(({ state }) => state === 'skipped')).toBe(true);
    expect(received.slice(before).filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  });
});

test('a profile that opens the tools with its member token offers no sign-in', async () => {
  const world = await openDesktop();
  const { id } = await world.core.handlers['profiles.add'](inputFor(live, { remoteAccess: 'direct-jwt' }));
  await expect(world.core.handlers['signIn.start']({ profileId: id, scopes: [] })).rejects.toMatchObject({
    code: 'sign_in_not_needed',
  });
  expect(await world.core.handlers['signIn.get']({})).toBeNull();
});

test('a grant survives a restart', async () => {
  const { world, id } = await openSignedOut();
  await signInTo(world, live, id);
  const before = await signInState(world, id);
  await world.core.dispose();
  const { folder, dataKey, clock } = world;
  const again = await createWorld({ host: 'desktop', folder, dataKey, clock });
  expect(await signInState(again, id)).toEqual(before);
});
