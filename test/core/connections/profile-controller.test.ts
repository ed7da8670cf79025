import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFaults } from '#core/backend/index.ts';
import type { AppEvent, AppInput, ProfileDetail } from '#shared/app-api/index.ts';
import type { RunningBackend } from '#test/core/backend/open-backend.ts';
import { createWorld, type World } from '#test/core/proposals/world.ts';
import { startFakeService } from '#test/servers/fake-service.ts';
import { withStore } from '#test/servers/stores.ts';
import { addMember, inputFor, keyOf, openDesktop, openLive, startLive, tokenOf } from './live-world.ts';

let live: RunningBackend;

beforeAll(async () => {
  live = await startLive();
});
afterAll(() => live.dispose());

/** Returns the names of all sealed secrets of a profile, without the key's id. */
function sealedNames({ folder }: World, profileId: string): string[] {
  return withStore(folder, ({ secrets }) => secrets.names(profileId)).map((name) => name.replace(/@.*$/, ''));
}

function detailOf(world: World, id: string): Promise<ProfileDetail | undefined> {
  return world.core.handlers['profiles.list']({}).then(({ items }) => items.find((one) => one.id === id));
}

function listInput(status: number | null = null): AppInput<'campaigns.page'> {
  return { filter: { query: '', status, types: [], sort: 'cid', order: 'asc' }, page: 1, perPage: 200 };
}

async function proposePause({ core: { handlers } }: World): Promise<string> {
  const { rows } = await handlers['campaigns.page'](listInput(1));
  const { id } = await handlers['campaigns.proposeStatus']({ cids: [rows[0]?.cid ?? 0], status: 3 });
  return id;
}

describe('a profile with a pasted member token', () => {
  test('is the active live service, has its account, and shows when the token expires but never the token', async () => {
    const world = await openDesktop();
    const heard: AppEvent[] = [];
    world.core.subscribe((event) => void heard.push(event));
    const detail = await addMember(world, live);
    const account = String(live.credentials.accounts.buyer.uid);
    const value = tokenOf(live, 'buyer');
    const { exp } = JSON.parse(Buffer.from(value.split('.')[1] ?? '', 'base64url').toString()) as {
      exp: number;
    };
    const memberToken = { state: 'held', expiresAtMs: exp * 1000 };
    expect(detail).toMatchObject({ kind: 'live', account, memberToken });
    expect(await world.core.handlers['session.get']({})).toMatchObject({
      profile: { id: detail.id, name: 'Meridian', kind: 'live', account },
    });
    const { rows } = await world.core.handlers['campaigns.page'](listInput());
    expect(rows.map(({ cid }) => cid)).toEqual(
      (await live.list('?perPage=200&order=asc&sort=cid')).data.map(({ cid }) => cid),
    );
    const reported = JSON.stringify([detail, await world.core.handlers['profiles.list']({}), heard]);
    expect(reported).not.toContain(value.split('.')[2]);
    expect(heard.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['profiles.changed', 'campaigns.changed', 'status.changed']),
    );
  });

  test('uses it for the remote tools if the service accepts it there', async () => {
    const world = await openDesktop();
    const { handlers } = world.core;
    const { id } = await handlers['profiles.add'](inputFor(live, { remoteAccess: 'direct-jwt' }));
    expect((await detailOf(world, id))?.signIn.state).toBe('none');
    const value = tokenOf(live, 'buyer');
    const { signIn } = await handlers['profiles.keepCredential']({ id, name: 'memberToken', value });
    expect(signIn).toEqual({ state: 'held', scopes: [], signedInAtMs: null });
    world.clock.advance(13 * 60 * 60 * 1000);
    expect((await detailOf(world, id))?.signIn.state).toBe('ended');
  });
});

describe('a pasted credential', () => {
  test('is accepted with surrounding space, with the word Bearer, and as a whole header', async () => {
    const world = await openDesktop();
    const { handlers } = world.core;
    const token = tokenOf(live, 'buyer');
    const pasted = [token, ` \n${token}\t`, `Bearer ${token}`, `authorization: bearer ${token}`];
    for (const [at, value] of pasted.entries()) {
      const { id } = await handlers['profiles.add'](inputFor(live, { name: `Pasted ${at}` }));
      await handlers['profiles.keepCredential']({ id, name: 'memberToken', value });
      await handlers['profiles.switch']({ id });
      expect(await handlers['session.status']({})).toMatchObject({ service: { state: 'ready' } });
      expect(await handlers['campaigns.types']({})).not.toEqual([]);
    }
  });

  test('is refused without a request if it has several words or characters that a header cannot contain', async () => {
    const fake = await startFakeService();
    const world = await openDesktop();
    const { id } = await world.core.handlers['profiles.add'](inputFor(live, { baseUrl: fake.baseUrl }));
    for (const value of ['two words', 'a\nb', 'Bearer ', 'zero\u200bwidth', 'bücher', 'nul\0']) {
      const keep = world.core.handlers['profiles.keepCredential']({ id, name: 'memberToken', value });
      await expect(keep, JSON.stringify(value)).rejects.toMatchObject({
        code: 'validation_failed',
        fields: [{ field: 'value', code: 'not_one_word' }],
      });
    }
    expect(fake.received).toEqual([]);
    expect(sealedNames(world, id)).toEqual([]);
  });

  test('is refused if the service refuses it, and the earlier one stays', async () => {
    const world = await openDesktop();
    const { handlers } = world.core;
    const { id, memberToken } = await addMember(world, live);
    for (const [what, value, code] of [
      ['a token that the service does not know', 'planted-token-12', 'not_accepted'],
      ['the token of a user without a campaigns menu', tokenOf(live, 'publisher'), 'not_allowed'],
      ['a publisher key in the place of a token', keyOf(live), 'not_accepted'],
    ] as const) {
      const failure = await handlers['profiles.keepCredential']({ id, name: 'memberToken', value }).catch(
        (refused: unknown) => refused,
      );
      expect(failure, what).toMatchObject({ code: 'validation_failed', fields: [{ field: 'value', code }] });
      expect(JSON.stringify(failure) + String(failure)).not.toContain(value);
      expect((await detailOf(world, id))?.memberToken).toEqual(memberToken);
      expect(await handlers['campaigns.types']({})).not.toEqual([]);
    }
  });

  test('is stored without an account if the service does not answer, fails, answers something else, or has no campaigns', async () => {
    const world = await openDesktop();
    const { handlers } = world.core;
    const answers = [
      { kind: 'destroy' },
      { kind: 'answer', status: 500, body: '{}' },
      { kind: 'answer', status: 200, body: '<html>' },
      { kind: 'answer', status: 200, body: emptyList() },
    ] as const;
    for (const [at, answer] of answers.entries()) {
      const fake = await startFakeService();
      fake.answerWith(answer);
      const input = inputFor(live, { baseUrl: fake.baseUrl, name: `Member ${at}` });
      const { id } = await handlers['profiles.add'](input);
      const kept = await handlers['profiles.keepCredential']({ id, name: 'memberToken', value: 'word' });
      expect(kept).toMatchObject({ account: '', memberToken: { state: 'held', expiresAtMs: null } });
      expect(new Set(fake.received.map(({ authorization }) => authorization))).toEqual(
        new Set(['Bearer word']),
      );
    }
  });

  test('of another account changes the profile’s account and deletes data of the earlier one', async () => {
    const world = await openDesktop();
    const { id } = await addMember(world, live);
    await proposePause(world).then((proposal) => world.core.handlers['proposals.withdraw']({ id: proposal }));
    const value = tokenOf(live, 'neighbour');
    const { account } = await world.core.handlers['profiles.keepCredential']({
      id,
      name: 'memberToken',
      value,
    });
    expect(account).toBe(String(live.credentials.accounts.neighbour.uid));
    await world.core.dispose();
    expect(withStore(world.folder, ({ campaignCache }) => campaignCache.rows(id))).toEqual([]);
  });
});

describe('a token pasted while the service does not name its account', () => {
  /** Opens the buyer's profile with a cached list, at a service that can then be made to fail. */
  async function openFailing() {
    const faults = createFaults();
    const failing = await openLive({ faults });
    const world = await openDesktop();
    const { id, account } = await addMember(world, failing);
    const whileFailing = async <T>(work: () => Promise<T>): Promise<T> => {
      const disarm = Array.from({ length: 8 }, () =>
        faults.arm({ kind: 'answer', status: 500, path: '/login/campaigns' }),
      );
      try {
        return await work();
      } finally {
        for (const end of disarm) end();
      }
    };
    return {
      world,
      account,
      whileFailing,
      paste: (owner: 'buyer' | 'neighbour') =>
        whileFailing(() => {
          const value = tokenOf(failing, owner);
          return world.core.handlers['profiles.keepCredential']({ id, name: 'memberToken', value });
        }),
    };
  }

  test('gives no access to data that the earlier token read', async () => {
    const { world, whileFailing, paste } = await openFailing();
    await world.core.handlers['campaigns.page'](listInput());
    expect(await paste('neighbour')).toMatchObject({ account: '', memberToken: { state: 'held' } });
    const read = whileFailing(() => world.core.handlers['campaigns.page'](listInput()));
    await expect(read).rejects.toMatchObject({ code: 'service_failed' });
  });

  test('changes nothing if it is the stored token', async () => {
    const { world, account, whileFailing, paste } = await openFailing();
    const { total } = await world.core.handlers['campaigns.page'](listInput());
    expect(await paste('buyer')).toMatchObject({ account });
    expect(await whileFailing(() => world.core.handlers['campaigns.page'](listInput()))).toMatchObject({
      total,
    });
  });

  test.each([
    ['buyer', 'verified'],
    ['neighbour', 'stale'],
  ] as const)('sends the buyer’s open change only for the buyer’s account: %s', async (owner, state) => {
    const { world, paste } = await openFailing();
    const display = await world.look(await proposePause(world));
    await paste('neighbour');
    await paste(owner);
    expect((await world.approve(display)).proposal.state).toBe(state);
  });
});

test('a publisher key that the service knows is stored, even for another report, and an unknown one is refused', async () => {
  const world = await openDesktop();
  const { id } = await world.core.handlers['profiles.add'](inputFor(live));
  const keep = async (value: string): Promise<ProfileDetail['publisherKey']> => {
    const kept = world.core.handlers['profiles.keepCredential']({ id, name: 'publisherKey', value });
    return (await kept).publisherKey;
  };
  expect(await keep(keyOf(live))).toEqual({ state: 'held' });
  const { publisherKeys } = live.credentials.accounts.publisher;
  const others = publisherKeys.filter(({ scopes }) => !scopes.includes('publisher:search:read'));
  expect(others).not.toEqual([]);
  for (const { key } of others) expect(await keep(key)).toEqual({ state: 'held' });
  await expect(keep('planted-key-77')).rejects.toMatchObject({
    code: 'validation_failed',
    fields: [{ field: 'value', code: 'not_accepted', message: expect.stringMatching(/Copy/) as string }],
  });
});

test('a publisher key is stored if the service does not answer', async () => {
  const fake = await startFakeService();
  fake.answerWith({ kind: 'destroy' });
  const world = await openDesktop();
  const { origin } = new URL(fake.baseUrl);
  const { id } = await world.core.handlers['profiles.add'](inputFor(live, { apiUrl: origin }));
  const kept = await world.core.handlers['profiles.keepCredential']({
    id,
    name: 'publisherKey',
    value: 'word',
  });
  expect(kept.publisherKey).toEqual({ state: 'held' });
});

describe('a deleted credential', () => {
  test('is removed from disk, and its profile has no access', async () => {
    const world = await openDesktop();
    const { id } = await addMember(world, live);
    const detail = await world.core.handlers['profiles.forgetCredential']({ id, name: 'memberToken' });
    expect(detail.memberToken).toEqual({ state: 'none', expiresAtMs: null });
    expect(sealedNames(world, id)).toEqual([]);
    const page = world.core.handlers['campaigns.get']({ cid: 1 });
    await expect(page).rejects.toMatchObject({ code: 'credential_missing' });
  });
});

describe('editing a profile', () => {
  test('changes name and time zone while a change waits, but not the addresses', async () => {
    const world = await openDesktop();
    const { edit, withdraw } = {
      edit: world.core.handlers['profiles.edit'],
      withdraw: world.core.handlers['proposals.withdraw'],
    };
    const { id, account } = await addMember(world, live);
    const proposal = await proposePause(world);
    const renamed = { ...inputFor(live), id, name: 'Renamed', zone: 'Europe/Berlin' };
    expect(await edit(renamed)).toMatchObject({ name: 'Renamed', account, memberToken: { state: 'held' } });
    const moved = { ...renamed, apiUrl: 'https://api.example.com' };
    await expect(edit(moved)).rejects.toMatchObject({ code: 'profile_busy' });
    expect((await detailOf(world, id))?.memberToken.state).toBe('held');

    await withdraw({ id: proposal });
    expect(await edit(moved)).toMatchObject({
      account: '',
      addresses: { apiUrl: 'https://api.example.com' },
      memberToken: { state: 'none' },
    });
    expect(sealedNames(world, id)).toEqual([]);
  });

  test('keeps everything, including credentials, if it fails', async () => {
    const world = await openDesktop();
    const { id } = await addMember(world, live);
    const wrong = { ...inputFor(live), id, name: '', mcpUrl: 'https://elsewhere.example', apiUrl: 'x' };
    await expect(world.core.handlers['profiles.edit'](wrong)).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'name' }, { field: 'apiUrl' }],
    });
    expect(await detailOf(world, id)).toMatchObject({ name: 'Meridian', memberToken: { state: 'held' } });
  });
});

test('to another address turns the profile’s alerts off with a reason until a person turns one on', async () => {
  const world = await openDesktop();
  const { handlers } = world.core;
  const { id } = await addMember(world, live);
  await keepNotes(world);
  await handlers['profiles.edit']({ ...inputFor(live), id, name: 'Renamed' });
  expect((await handlers['reports.alerts.list']({})).items).toMatchObject([{ on: true }]);
  await handlers['profiles.edit']({ ...inputFor(live, { apiUrl: 'https://elsewhere.example' }), id });
  const { items, checks } = await handlers['reports.alerts.list']({});
  expect(items).toMatchObject([{ on: false, state: 'clear', reading: { because: 'address-changed' } }]);
  expect(checks.nextCheckAtMs).toBeNull();
  await handlers['reports.alerts.switch']({ id: items[0]?.id ?? '', on: true });
  await handlers['reports.alerts.check']({});
  const [again] = (await handlers['reports.alerts.list']({})).items;
  expect([again?.on, again?.reading?.because]).toEqual([true, 'incomplete']);
});

test('never stores a token for another service than the one that checked it', async () => {
  const world = await openDesktop();
  const { handlers } = world.core;
  const { id } = await handlers['profiles.add'](inputFor(live));
  const moved = { ...inputFor(live, { baseUrl: 'https://elsewhere.example/api/v1' }), id };
  const editing: Promise<unknown>[] = [];
  live.backend.faults.arm({
    kind: 'meanwhile',
    method: 'GET',
    path: '/login/campaigns',
    async run() {
      editing.push(handlers['profiles.edit'](moved));
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  const value = tokenOf(live, 'buyer');
  await handlers['profiles.keepCredential']({ id, name: 'memberToken', value });
  await Promise.all(editing);
  expect(editing).toHaveLength(1);
  expect(await detailOf(world, id)).toMatchObject({ addresses: { baseUrl: moved.baseUrl }, account: '' });
  expect(sealedNames(world, id)).toEqual([]);
});

describe('removing a profile', () => {
  test('waits until nothing of it is open, then deletes it and activates Demo', async () => {
    const world = await openDesktop();
    const { handlers } = world.core;
    const { id } = await addMember(world, live);
    const proposal = await proposePause(world);
    await expect(handlers['profiles.remove']({ id })).rejects.toMatchObject({ code: 'profile_busy' });
    await handlers['proposals.withdraw']({ id: proposal });
    expect(await handlers['profiles.remove']({ id })).toBeNull();
    expect(await handlers['profiles.list']({})).toMatchObject({ currentId: 'demo', items: [{ id: 'demo' }] });
    expect(sealedNames(world, id)).toEqual([]);
    expect(await handlers['proposals.get']({ id: proposal })).toMatchObject({ profile: { id } });
  });

  test('deletes its marks, views and alerts, which a sign-out keeps because they are the user’s notes', async () => {
    const world = await openDesktop();
    const { handlers } = world.core;
    const { id } = await addMember(world, live);
    await keepNotes(world);
    await handlers['profiles.signOut']({ id });
    expect(await countNotes(world)).toEqual([1, 1, 1]);
    await handlers['profiles.switch']({ id: 'demo' });
    expect(await countNotes(world)).toEqual([0, 0, 0]);
    await keepNotes(world);
    await handlers['profiles.remove']({ id });
    expect(await countNotes(world)).toEqual([1, 1, 1]);
    const left = withStore(world.folder, ({ reportMarks, reportViews, reportAlerts }) => [
      ...reportMarks.all(id),
      ...reportViews.all(id),
      ...reportAlerts.all(id),
      ...reportAlerts.events(id),
    ]);
    expect(left).toEqual([]);
  });

  test('happens once, however often it is requested', async () => {
    const world = await openDesktop();
    const { id } = await addMember(world, live);
    const remove = world.core.handlers['profiles.remove'];
    const outcomes = await Promise.allSettled([remove({ id }), remove({ id })]);
    expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'profile_unknown' } }]);
  });
});

test('and editing is not possible for Demo', async () => {
  const { handlers } = (await openDesktop()).core;
  const refused = [
    handlers['profiles.edit']({ ...inputFor(live), id: 'demo' }),
    handlers['profiles.remove']({ id: 'demo' }),
    handlers['profiles.keepCredential']({ id: 'demo', name: 'memberToken', value: 'word' }),
    handlers['profiles.forgetCredential']({ id: 'demo', name: 'publisherKey' }),
    handlers['profiles.signOut']({ id: 'demo' }),
    handlers['signIn.start']({ profileId: 'demo', scopes: [] }),
  ];
  for (const one of await Promise.allSettled(refused)) {
    expect(one).toMatchObject({ reason: { code: 'profile_fixed' } });
  }
  const { items } = await handlers['profiles.list']({});
  expect(items).toMatchObject([{ id: 'demo', signIn: { state: 'held' }, memberToken: { state: 'held' } }]);
});

describe('credentials at rest', () => {
  test('are in no file of the folder in plain text, whether the app runs or not', async () => {
    const world = await openDesktop();
    const { id } = await addMember(world, live);
    await world.core.handlers['profiles.keepCredential']({ id, name: 'publisherKey', value: keyOf(live) });
    const planted = [tokenOf(live, 'buyer'), tokenOf(live, 'buyer').split('.')[2] ?? '', keyOf(live)];
    const search = (): void => {
      const entries = readdirSync(world.folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      expect(files.map(({ name }) => name)).toContain('countersign.sqlite');
      for (const { parentPath, name } of files) {
        const bytes = readFileSync(join(parentPath, name));
        for (const secret of planted) expect(bytes.includes(secret), name).toBe(false);
      }
    };
    search();
    await world.core.dispose();
    search();
  });

  test('of another session’s key stay sealed and unchanged, and new ones are stored next to them', async () => {
    const first = await openDesktop();
    const { id } = await addMember(first, live);
    await first.core.dispose();

    const { folder, dataKey } = first;
    const second = await openDesktop({ folder, dataKey: randomBytes(32) });
    expect((await detailOf(second, id))?.memberToken).toEqual({ state: 'other-key', expiresAtMs: null });
    await expect(second.core.handlers['campaigns.get']({ cid: 1 })).rejects.toMatchObject({
      code: 'credential_missing',
    });
    const value = tokenOf(live, 'neighbour');
    const kept = await second.core.handlers['profiles.keepCredential']({ id, name: 'memberToken', value });
    expect(kept.memberToken.state).toBe('held');
    await second.core.dispose();

    const third = await openDesktop({ folder, dataKey });
    expect((await detailOf(third, id))?.memberToken.state).toBe('held');
    const { uid } = live.credentials.accounts.buyer;
    expect((await third.core.handlers['campaigns.page'](listInput())).rows).toContainEqual(
      expect.objectContaining({ uid }),
    );
  });
});

test('a host without live profiles shows Demo, refuses everything else, and deletes nothing', async () => {
  const desktop = await openDesktop();
  const { id } = await addMember(desktop, live);
  await desktop.core.dispose();

  const { folder, dataKey } = desktop;
  const browser = await createWorld({ host: 'browser', folder, dataKey });
  const { handlers } = browser.core;
  expect(await handlers['profiles.list']({})).toMatchObject({
    items: [{ id: 'demo' }],
    currentId: 'demo',
    liveAllowed: false,
  });
  expect((await handlers['session.get']({})).profile.id).toBe('demo');
  const input = inputFor(live, { name: 'Another' });
  const refused = [
    handlers['profiles.add'](input),
    handlers['profiles.edit']({ ...input, id }),
    handlers['profiles.remove']({ id }),
    handlers['profiles.switch']({ id }),
    handlers['profiles.keepCredential']({ id, name: 'memberToken', value: 'word' }),
    handlers['profiles.forgetCredential']({ id, name: 'memberToken' }),
    handlers['profiles.signOut']({ id }),
    handlers['signIn.start']({ profileId: id, scopes: [] }),
  ];
  for (const one of await Promise.allSettled(refused)) {
    expect(one).toMatchObject({ reason: { code: 'live_on_desktop_only' } });
  }
  await browser.core.dispose();

  const again = await openDesktop({ folder, dataKey });
  expect(await again.core.handlers['profiles.list']({})).toMatchObject({ currentId: id });
  expect((await detailOf(again, id))?.memberToken.state).toBe('held');
});

test('everything of a service that no longer exists can be deleted', async () => {
  const leaving = await openLive();
  const world = await openDesktop();
  const { id } = await addMember(world, leaving);
  await leaving.backend.dispose();
  await world.core.handlers['profiles.remove']({ id });
  expect(sealedNames(world, id)).toEqual([]);
});

async function keepNotes({ core: { handlers } }: World): Promise<void> {
  const source = { kind: 'xml', tid: 1 } as const;
  const range = { from: '2026-11-01', to: '2026-11-07' };
  const target = { source, dimension: 'subid', value: 'bot-7' };
  await handlers['reports.marks.set']({ target, sign: 'bad', note: '', range });
  await handlers['reports.views.save']({
    name: 'Bots',
    query: {
      source,
      range,
      comparison: 'none',
      includeToday: false,
      levels: ['subid'],
      only: [],
      excluded: [],
      search: '',
      sort: { column: 'gross_clicks', descending: true },
    },
  });
  await handlers['reports.alerts.save']({
    id: null,
    rule: {
      source,
      only: null,
      metric: 'gross_clicks',
      window: 'yesterday',
      condition: { kind: 'level', is: 'below', threshold: '10' },
      least: null,
    },
  });
}

async function countNotes({ core: { handlers } }: World): Promise<number[]> {
  const lists = [
    await handlers['reports.marks.list']({}),
    await handlers['reports.views.list']({}),
    await handlers['reports.alerts.list']({}),
  ];
  return lists.map(({ items }) => items.length);
}

function emptyList(): string {
  const data = { data: [], total: 0, currentPage: 1, totalPages: 0 };
  return JSON.stringify({ status: 'success', message: '', data });
}
