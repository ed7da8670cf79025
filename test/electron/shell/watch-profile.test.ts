import { expect, test } from 'vitest';
import { watchProfile } from '#electron/shell/follow-core.ts';
import { windowTitle } from '#electron/windows/title-and-closing.ts';
import type { ProfileView } from '#shared/app-api/index.ts';
import { fakeCore, settled } from './fake-core.ts';

const demo: ProfileView = { id: 'demo', name: 'Northwind', kind: 'demo', account: '1', zone: 'UTC' };
const live: ProfileView = { id: 'm', name: 'Meridian', kind: 'live', account: '', zone: 'UTC' };

test.each([
  [null, undefined, 'Countersign'],
  [demo, undefined, 'Demo · “Northwind” · Countersign'],
  [live, undefined, 'LIVE · “Meridian” · Countersign'],
  [live, 'Confirm a change', 'LIVE · “Meridian” · Confirm a change'],
  [{ ...demo, name: '\u202Ea” · LIVE' }, undefined, 'Demo · “⟨U+202E⟩a" · LIVE” · Countersign'],
])('the title of a window with %o', (profile, about, title) => {
  expect(windowTitle('work', profile, about)).toBe(title);
});

test('the title of a training window always begins with TRAINING', () => {
  expect(windowTitle('training', null)).toBe('TRAINING · Countersign');
  expect(windowTitle('training', live, 'Confirm a change')).toBe('TRAINING · Confirm a change');
});

test('the active profile is known from the core’s start and after every change', async () => {
  const core = fakeCore({ kind: 'starting' });
  let profile = demo;
  core.answers['session.get'] = () => ({ version: '1', host: 'desktop', profile });
  const heard: (string | null)[] = [];
  const stop = watchProfile({ core, onChange: (found) => void heard.push(found?.id ?? null) });
  await settled();
  expect(heard).toEqual([]);
  core.become({ kind: 'ready' });
  await settled();
  profile = live;
  core.say({ kind: 'ledger.changed' });
  core.say({ kind: 'profiles.changed' });
  await settled();
  expect(heard).toEqual(['demo', 'm']);
  core.become({ kind: 'restarting', sinceMs: 1, attempt: 1, nextTryAtMs: 2 });
  expect(heard.at(-1)).toBeNull();
  stop();
});

test('a late answer never replaces a newer profile', async () => {
  const core = fakeCore();
  const answers: ((profile: ProfileView) => void)[] = [];
  core.answers['session.get'] = () =>
    new Promise((resolve) => answers.push((profile) => resolve({ version: '1', host: 'desktop', profile })));
  const heard: (string | null)[] = [];
  watchProfile({ core, onChange: (found) => void heard.push(found?.id ?? null) });
  core.say({ kind: 'profiles.changed' });
  await settled();
  answers[1]?.(live);
  answers[0]?.(demo);
  await settled();
  expect(heard).toEqual(['m']);
});
