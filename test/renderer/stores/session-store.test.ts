import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type SessionState,
  createSessionStore,
  formatsIn,
  profileStep,
  serviceAheadMs,
} from '#renderer/stores/session-store.ts';
import type { AppOutput, StatusView } from '#shared/app-api/index.ts';
import type { FirstScreen } from '#shared/host-api/index.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { type ShownFormats, defaultShownFormats } from '#shared/lib/formats.ts';
import { fakeBridge, settled } from '#test/renderer/support/fake-bridge.ts';
import { firstScreenOf } from '#test/servers/first-screen.ts';
import { demoProfile, liveProfile } from '#test/renderer/support/profile.ts';

/** A page with a core and this active profile. Counts how often the page was reloaded. */
async function page(profile = demoProfile(), kept: FirstScreen | null = null) {
  const core = { profile, formats: defaultShownFormats, aheadMs: 0, isFirstStart: false, begun: 0 };
  const bridge = fakeBridge({
    'session.get': (): AppOutput<'session.get'> => ({
      version: '1',
      host: 'desktop',
      profile: core.profile,
      formats: core.formats,
      ...(core.aheadMs > 0 && { serviceAheadMs: core.aheadMs }),
      ...(core.isFirstStart && { isFirstStart: true as const }),
    }),
    'session.status': () => ({ service: { state: 'ready' }, waiting: 0 }) as StatusView,
    'session.setFormats': () => Promise.reject(new AppError('disk_full')),
  });
  const store = createSessionStore(bridge, () => (core.begun += 1), kept);
  onTestFinished(store.getState().start());
  const atFirst = store.getState();
  await settled();
  return { bridge, core, store, atFirst };
}

test('the window shows the new name of a renamed profile', async () => {
  const { bridge, core, store } = await page();
  core.profile = { ...core.profile, name: 'Northwind, renamed' };
  bridge.emit({ kind: 'profiles.changed' });
  await settled();
  expect(store.getState()).toMatchObject({
    isReloading: false,
    session: { profile: { name: 'Northwind, renamed' } },
  });
  expect(core.begun).toBe(0);
});

test('numbers and times follow the format settings of the session, also when the settings change', async () => {
  const { bridge, core, store } = await page();
  expect(formatsIn(store.getState()).count(1_000)).toBe('1,000');
  core.formats = { numbers: 'space', moments: 'utc' };
  bridge.emit({ kind: 'formats.changed' });
  await settled();
  expect(formatsIn(store.getState()).count(1_000)).toBe('1\u202F000');
  expect(formatsIn(store.getState()).clock(Date.UTC(2026, 0, 1, 12, 5))).toBe('12:05');
  core.formats = defaultShownFormats;
  bridge.emit({ kind: 'formats.changed' });
  await settled();
  expect(formatsIn(store.getState()).count(1_000)).toBe('1,000');
});

test('the latest requested session counts, however late an earlier answer arrives', async () => {
  const answers: (() => void)[] = [];
  let formats = defaultShownFormats;
  const bridge = fakeBridge({
    'session.get': () => {
      const session = { version: '1', host: 'desktop' as const, profile: demoProfile(), formats };
      return new Promise((resolve) => answers.push(() => resolve(session)));
    },
    'session.status': () => ({ service: { state: 'ready' }, waiting: 0 }) as StatusView,
  });
  const store = createSessionStore(bridge, () => undefined);
  onTestFinished(store.getState().start());
  await settled();
  formats = { numbers: 'space', moments: 'utc' };
  bridge.emit({ kind: 'formats.changed' });
  // Answers the newest of the concurrent requests first.
  for (let answer = answers.pop(); answer !== undefined; answer = answers.pop()) {
    answer();
    await settled();
  }
  expect(store.getState().session?.formats).toEqual(formats);
});

test('a format that cannot be stored shows the reason', async () => {
  const { bridge, store } = await page();
  const formats: ShownFormats = { numbers: 'none', moments: 'service' };
  await store.getState().chooseFormats(formats);
  expect(store.getState().formatsFailure).toMatchObject({ code: 'disk_full' });
  expect(bridge.asked).toContainEqual({ name: 'session.setFormats', input: formats });
});

test('the service’s clock equals the computer’s clock, plus the offset of the latest session', async () => {
  const { bridge, core, store } = await page();
  expect(serviceAheadMs({ session: null })).toBe(0);
  expect(serviceAheadMs(store.getState())).toBe(0);
  core.aheadMs = 3_600_000;
  bridge.emit({ kind: 'profiles.changed' });
  await settled();
  expect(serviceAheadMs(store.getState())).toBe(3_600_000);
});

test('the first start screen is shown once, even if that cannot be stored', async () => {
  const bridge = fakeBridge({
    'session.get': (): AppOutput<'session.get'> => ({
      version: '1',
      host: 'desktop',
      profile: demoProfile(),
      formats: defaultShownFormats,
      isFirstStart: true,
    }),
    'session.status': () => ({ service: { state: 'ready' }, waiting: 0 }) as StatusView,
    'session.seenFirstStart': () => Promise.reject(new Error('The disk is full')),
  });
  const store = createSessionStore(bridge, () => undefined);
  onTestFinished(store.getState().start());
  await settled();
  expect(store.getState().session).toMatchObject({ isFirstStart: true });
  store.getState().seeFirstStart();
  store.getState().seeFirstStart();
  await settled();
  expect(store.getState().session).not.toHaveProperty('isFirstStart');
  expect(bridge.asked.filter(({ name }) => name === 'session.seenFirstStart')).toHaveLength(1);
  // The core's answer still has the state from before the request.
  bridge.emit({ kind: 'profiles.changed' });
  await settled();
  expect(store.getState().session).not.toHaveProperty('isFirstStart');
});

test('a page that is reloading ignores later sessions, so that the first start screen is left to the next page', async () => {
  const { bridge, core, store } = await page();
  const before = store.getState().session;
  core.isFirstStart = true;
  store.getState().reload('same page');
  bridge.emit({ kind: 'profiles.changed' });
  await settled();
  expect(core.begun).toBe(1);
  expect(store.getState().session).toBe(before);
});

test('a change of the active profile reloads the page once, and the new profile is never shown with rows of the previous profile', async () => {
  const { bridge, core, store } = await page();
  core.profile = liveProfile();
  bridge.emit({ kind: 'profiles.changed' });
  bridge.emit({ kind: 'status.changed' });
  bridge.emit({ kind: 'profiles.changed' });
  await settled();
  expect(core.begun).toBe(1);
  expect(store.getState()).toMatchObject({ isReloading: true, session: { profile: { id: 'demo' } } });
});

test('a change of the profile’s account reloads the page like a change of the profile', async () => {
  const { bridge, core } = await page();
  core.profile = { ...core.profile, account: '' };
  bridge.emit({ kind: 'profiles.changed' });
  await settled();
  expect(core.begun).toBe(1);
});

test('an account that becomes known is shown without a reload', async () => {
  const { bridge, core, store } = await page({ ...demoProfile(), account: '' });
  core.profile = demoProfile();
  bridge.emit({ kind: 'profiles.changed' });
  await settled();
  expect(store.getState().session?.profile.account).toBe('1042');
  expect(core.begun).toBe(0);
});

test('a core that restarts with another active profile reloads the page', async () => {
  const { bridge, core } = await page();
  core.profile = liveProfile();
  bridge.connect({ kind: 'lost', sinceMs: 0 });
  bridge.connect({ kind: 'connected' });
  await settled();
  expect(core.begun).toBe(1);
});

test('an event that does not concern profiles reads only the status', async () => {
  const { bridge } = await page();
  bridge.emit({ kind: 'proposals.changed', id: 'p1' });
  await settled();
  expect(bridge.asked.map(({ name }) => name)).toEqual(['session.get', 'session.status', 'session.status']);
});

test('two hundred simultaneous proposals cause a few status reads, not one for each', async () => {
  const { bridge } = await page();
  for (let number = 0; number < 200; number += 1) {
    bridge.emit({ kind: 'proposals.changed', id: `p${number}` });
    bridge.emit({ kind: 'ledger.changed' });
    bridge.emit({ kind: 'status.changed' });
  }
  await settled();
  expect(bridge.asked.filter(({ name }) => name === 'session.status').length).toBeLessThanOrEqual(3);
});

test('steps of the doctor and of a sign-in cause no status reads', async () => {
  const { bridge } = await page();
  bridge.emit({ kind: 'doctor.changed' });
  bridge.emit({ kind: 'signIn.changed' });
  bridge.emit({ kind: 'campaigns.changed', cids: [] });
  await settled();
  expect(bridge.asked.map(({ name }) => name)).toEqual(['session.get', 'session.status']);
});

test.each([
  ['ready', 15_000],
  ['unreachable', 5_000],
] as const)('the status of a service that is %s is read again after %d ms', async (state, everyMs) => {
  vi.useFakeTimers();
  try {
    const status = { service: { state }, waiting: 0 } as StatusView;
    const bridge = fakeBridge({
      'session.get': () => ({
        version: '1',
        host: 'desktop',
        profile: demoProfile(),
        formats: defaultShownFormats,
      }),
      'session.status': () => status,
    });
    const stop = createSessionStore(bridge, () => undefined)
      .getState()
      .start();
    bridge.connect({ kind: 'connected' });
    await vi.advanceTimersByTimeAsync(0);
    const looks = (): number => bridge.asked.filter(({ name }) => name === 'session.status').length;
    const before = looks();
    await vi.advanceTimersByTimeAsync(everyMs - 1);
    expect(looks()).toBe(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(looks()).toBe(before + 1);
    stop();
  } finally {
    vi.useRealTimers();
  }
});

const stateOf = (kind: 'demo' | 'live', service = 'ready'): Pick<SessionState, 'session' | 'status'> =>
  ({ session: { profile: { kind } }, status: { service: { state: service } } }) as never;

const rows: [ErrorCode, string | null][] = [
  ['credential_missing', 'Add member token'],
  ['unauthenticated', 'Replace member token'],
  ['secret_unreadable', 'Add it again'],
  ['sign_in_needed', 'Sign in again'],
  ['token_invalid', 'Sign in again'],
  ['scope_missing', 'Sign in again'],
  ['account_changed', 'Check the account'],
  ['wrong_host', 'Check the addresses'],
  ['discovery_failed', 'Check the addresses'],
  ['service_unreachable', null],
  ['service_failed', null],
  ['rate_limited', null],
  ['internal', null],
];

test.each(rows)('after %s a person of a live profile is offered: %s', (code, step) => {
  expect(profileStep(stateOf('live'), code)).toBe(step);
});

test.each(rows)('after %s the Demo profile offers no setup step, only another read', (code) => {
  expect(profileStep(stateOf('demo'), code)).toBeNull();
});

test('old rows offer “Check member token” if the service refuses the token, otherwise another read', () => {
  expect(profileStep(stateOf('live', 'signed-out'), null)).toBe('Check member token');
  expect(profileStep(stateOf('live', 'unreachable'), null)).toBeNull();
});

test('a start shows profile, formats and counts of the last session until the core answers', async () => {
  const formats: ShownFormats = { numbers: 'space', moments: 'utc' };
  const kept = firstScreenOf({ profile: { ...demoProfile(), name: 'Before' }, formats });
  const { store, atFirst, core } = await page(demoProfile(), kept);
  expect(atFirst).toMatchObject({ session: { profile: kept.profile, formats }, status: null, kept });
  expect(store.getState()).toMatchObject({ session: { profile: core.profile }, kept: null });
  expect(core.begun).toBe(0);
});

test('a page that showed a profile other than the active profile reloads', async () => {
  const { store, core } = await page(liveProfile(), firstScreenOf());
  expect([store.getState().isReloading, core.begun]).toEqual([true, 1]);
});
