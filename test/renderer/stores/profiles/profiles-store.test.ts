import { describe, expect, test } from 'vitest';
import {
  addressesOfOrigin,
  createProfilesStore,
  withToolsAddress,
} from '#renderer/stores/profiles/profiles-store.ts';
import type { ProfileDetail } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { fakeBridge, settled } from '../../support/fake-bridge.ts';
import { demoProfile, liveProfile } from '../../support/profile.ts';
import { sentence } from '#shared/lib/sentence.ts';

const secret = 'eyJ.planted.secret';
const { addresses, name, zone, remoteAccess } = liveProfile();
const input = { name, zone, remoteAccess, ...addresses };

/** A page with a core in which Demo is active and one live profile exists. `refuse` makes the core refuse the next request. */
function page() {
  const core = {
    items: [demoProfile(), liveProfile()],
    currentId: 'demo',
    refusal: null as AppError | null,
    edits: false,
    stored: Promise.resolve(),
    left: 0,
  };
  const change = (id: string, to: Partial<ProfileDetail>): ProfileDetail => {
    if (core.refusal) throw core.refusal;
    core.items = core.items.map((item) => (item.id === id ? { ...item, ...to } : item));
    const found = core.items.find((item) => item.id === id);
    if (!found) throw new AppError('profile_unknown');
    return found;
  };
  const bridge = fakeBridge({
    'profiles.list': () => ({ items: core.items, currentId: core.currentId, liveAllowed: true }),
    'profiles.switch': ({ id }) => {
      const profile = change(id, {});
      core.currentId = id;
      return profile;
    },
    'profiles.add': ({ name: called }) => {
      if (core.refusal) throw core.refusal;
      const profile = liveProfile({ id: 'live-2', name: called });
      core.items = [...core.items, profile];
      return profile;
    },
    'profiles.edit': ({ id, name: called }) => change(id, { name: called }),
    'profiles.keepCredential': ({ id }) => change(id, { memberToken: { state: 'held', expiresAtMs: null } }),
    'profiles.forgetCredential': ({ id }) =>
      change(id, { memberToken: { state: 'none', expiresAtMs: null } }),
    'profiles.signOut': ({ id }) => ({ profile: change(id, {}), revocation: 'unconfirmed' }),
    'profiles.remove': ({ id }) => {
      change(id, {});
      core.items = core.items.filter((item) => item.id !== id);
      return null;
    },
  });
  const store = createProfilesStore(bridge, {
    hasUnsavedEdits: () => core.edits,
    draftsStored: () => core.stored,
    reload: () => (core.left += 1),
  });
  store.getState().reload();
  return { bridge, core, store };
}

const asked = ({ bridge }: ReturnType<typeof page>, request: string): unknown[] =>
  bridge.asked.filter((one) => one.name === request).map((one) => one.input);

describe('switching the profile', () => {
  test('reloads the page once the core has made it active', async () => {
    const here = page();
    await settled();
    await here.store.getState().switchTo('live-1');
    expect(here.core).toMatchObject({ currentId: 'live-1', left: 1 });
  });

  test('waits until typed drafts are stored, which would otherwise be stored in the other profile', async () => {
    const here = page();
    await settled();
    const storing = Promise.withResolvers<void>();
    here.core.stored = storing.promise;
    const switching = here.store.getState().switchTo('live-1');
    await settled();
    expect(here.store.getState().doing).toEqual({ kind: 'switch', id: 'live-1' });
    expect(asked(here, 'profiles.switch')).toEqual([]);
    storing.resolve();
    await switching;
    expect(here.core).toMatchObject({ currentId: 'live-1', left: 1 });
  });

  test('asks first while there are unproposed edits', async () => {
    const here = page();
    await settled();
    here.core.edits = true;
    await here.store.getState().switchTo('live-1');
    expect(here.store.getState().asking).toBe('live-1');
    expect(asked(here, 'profiles.switch')).toEqual([]);

    here.store.getState().stay();
    await here.store.getState().discardAndSwitch();
    expect(here.core).toMatchObject({ currentId: 'demo', left: 0 });

    await here.store.getState().switchTo('live-1');
    await here.store.getState().discardAndSwitch();
    expect(here.core).toMatchObject({ currentId: 'live-1', left: 1 });
    expect(here.store.getState().asking).toBeNull();
  });

  test('keeps the page and shows the reason if it is refused', async () => {
    const here = page();
    await settled();
    here.core.refusal = new AppError('live_on_desktop_only');
    await here.store.getState().switchTo('live-1');
    expect(here.core.left).toBe(0);
    expect(here.store.getState().refusal).toMatchObject({
      of: { kind: 'switch', id: 'live-1' },
      failure: { code: 'live_on_desktop_only' },
    });
    here.store.getState().dismiss();
    expect(here.store.getState().refusal).toBeNull();
  });

  test('does nothing if the profile is already active', async () => {
    const here = page();
    await settled();
    here.core.edits = true;
    await here.store.getState().switchTo('demo');
    expect(here.store.getState().asking).toBeNull();
    expect(asked(here, 'profiles.switch')).toEqual([]);
  });
});

describe('a pasted secret', () => {
  test('is sent once and is nowhere in the store afterwards', async () => {
    const here = page();
    await settled();
    const keeping = here.store.getState().keepCredential('live-1', 'memberToken', secret);
    expect(JSON.stringify(here.store.getState())).not.toContain(secret);
    expect(await keeping).toBe(true);
    expect(asked(here, 'profiles.keepCredential')).toEqual([
      { id: 'live-1', name: 'memberToken', value: secret },
    ]);
    expect(JSON.stringify(here.store.getState())).not.toContain(secret);
    expect(here.store.getState().list?.items[1]?.memberToken.state).toBe('held');
  });

  test('that is refused leaves only the reason in the store', async () => {
    const here = page();
    await settled();
    const fields = [{ field: 'value', code: 'refused', message: sentence`The service refused it.` }];
    here.core.refusal = new AppError('validation_failed', { fields });
    expect(await here.store.getState().keepCredential('live-1', 'memberToken', secret)).toBe(false);
    expect(JSON.stringify(here.store.getState())).not.toContain(secret);
    expect(here.store.getState().refusal).toMatchObject({
      of: { kind: 'keep', id: 'live-1', name: 'memberToken' },
      failure: { fields },
    });
  });
});

describe('profiles', () => {
  test('that are added or edited are shown at once, and a refusal names every invalid field', async () => {
    const here = page();
    await settled();
    expect(await here.store.getState().add({ ...input, name: 'Second' })).toBe('live-2');
    expect(here.store.getState().list?.items.map((item) => item.name)).toContain('Second');
    expect(await here.store.getState().edit('live-2', { ...input, name: 'Third' })).toBe(true);
    expect(here.store.getState().list?.items.at(-1)?.name).toBe('Third');

    const fields = [
      { field: 'name', code: 'taken', message: sentence`Another profile has this name.` },
      { field: 'zone', code: 'unknown', message: sentence`No such zone.` },
    ];
    here.core.refusal = new AppError('validation_failed', { fields });
    expect(await here.store.getState().add(input)).toBeNull();
    expect(here.store.getState()).toMatchObject({
      doing: null,
      refusal: { of: { kind: 'add' }, failure: { fields } },
    });
  });

  test('that are removed disappear from the list', async () => {
    const here = page();
    await settled();
    expect(await here.store.getState().remove('live-1')).toBe(true);
    await settled();
    expect(here.store.getState().list?.items.map(({ id }) => id)).toEqual(['demo']);
  });

  test('show whether the service confirmed a sign-out, until the next action', async () => {
    const here = page();
    await settled();
    await here.store.getState().signOut('live-1');
    expect(here.store.getState().signedOut).toEqual({ id: 'live-1', revocation: 'unconfirmed' });
    await here.store.getState().forgetCredential('live-1', 'memberToken');
    expect(here.store.getState().signedOut).toBeNull();
  });

  test('are read again when the core says that they changed', async () => {
    const here = page();
    const stop = here.store.getState().start();
    await settled();
    here.core.items = [demoProfile()];
    here.bridge.emit({ kind: 'profiles.changed' });
    await settled();
    expect(here.store.getState().list?.items).toHaveLength(1);
    stop();
  });

  test('allow one action at a time', async () => {
    const here = page();
    await settled();
    const first = here.store.getState().signOut('live-1');
    expect(here.store.getState().doing).toEqual({ kind: 'signOut', id: 'live-1' });
    expect(await here.store.getState().remove('live-1')).toBe(false);
    expect(await first).toBe(true);
    expect(asked(here, 'profiles.remove')).toEqual([]);
  });
});

const empty = { baseUrl: '', apiUrl: '', mcpUrl: '' };

test.each([
  ['https://svc.example', 'https://svc.example'],
  ['https://svc.example/', 'https://svc.example'],
  ['  https://svc.example:8443 ', 'https://svc.example:8443'],
  ['http://127.0.0.1:4100', 'http://127.0.0.1:4100'],
  ['http://[::1]:4100', 'http://[::1]:4100'],
])('the tools address %j fills in the other addresses', (typed, origin) => {
  expect(addressesOfOrigin(typed)).toEqual({ baseUrl: `${origin}/api/v1`, apiUrl: origin });
});

test.each([
  '',
  'svc.example',
  'ftp://svc.example',
  'https://',
  'https://svc.example/mcp',
  'https://svc.example?x',
  'https://svc.example#x',
  'https://user@svc.example',
  'https://a b',
  'https://[',
])('the tools address %j fills in nothing', (typed) => {
  expect(addressesOfOrigin(typed)).toBeNull();
  expect(withToolsAddress(empty, typed)).toEqual({ ...empty, mcpUrl: typed });
});

test('addresses that were filled in follow the tools address while it is typed, and disappear with it', () => {
  let addresses = empty;
  for (const typed of ['https://s', 'https://sv', 'https://svc.example']) {
    addresses = withToolsAddress(addresses, typed);
  }
  expect(addresses).toEqual({
    mcpUrl: 'https://svc.example',
    baseUrl: 'https://svc.example/api/v1',
    apiUrl: 'https://svc.example',
  });
  expect(withToolsAddress(addresses, '')).toEqual(empty);
});

test('an address that a person typed stays', () => {
  const written = { ...withToolsAddress(empty, 'https://a.example'), apiUrl: 'https://reports.example' };
  expect(withToolsAddress(written, 'https://b.example')).toEqual({
    mcpUrl: 'https://b.example',
    baseUrl: 'https://b.example/api/v1',
    apiUrl: 'https://reports.example',
  });
});
