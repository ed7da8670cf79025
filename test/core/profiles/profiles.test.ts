import { describe, expect, test } from 'vitest';
import type { ProfileInput } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { meridian, openProfiles } from './open-profiles.ts';

function codeOf(work: () => unknown): string {
  return failureOf(work).code;
}

function failureOf(work: () => unknown): AppError {
  try {
    work();
  } catch (failure) {
    return failure as AppError;
  }
  throw new Error('Nothing failed');
}

describe('the details of a profile', () => {
  test.each<[string, Partial<ProfileInput>, Partial<ProfileInput>]>([
    ['a name is trimmed', { name: '  Meridian \n' }, { name: 'Meridian' }],
    ['80 characters are a name', { name: 'é'.repeat(80) }, { name: 'é'.repeat(80) }],
    ['80 characters of two units each, too', { name: '🛰'.repeat(80) }, { name: '🛰'.repeat(80) }],
    ['a letter and its accent become one', { name: 'Cafe\u0301' }, { name: 'Café' }],
    ['a zone is spelled as usual', { zone: ' europe/BERLIN ' }, { zone: 'Europe/Berlin' }],
    ['UTC is a zone', { zone: 'utc' }, { zone: 'UTC' }],
    ['a zone with another name stays as it was called', { zone: 'Asia/Kolkata' }, { zone: 'Asia/Kolkata' }],
    ['a slash is dropped', { mcpUrl: 'https://mcp.example.com/' }, { mcpUrl: 'https://mcp.example.com' }],
  ])('%s', (_name, written, kept) => {
    const { profiles } = openProfiles();
    const { id } = profiles.add({ ...meridian, ...written });
    const { name, zone, addresses } = profiles.get(id);
    expect({ name, zone, ...addresses }).toMatchObject(kept);
  });

  test.each<[string, Partial<ProfileInput>, string, string]>([
    ['no name', { name: ' ' }, 'name', 'required'],
    ['81 characters', { name: 'é'.repeat(81) }, 'name', 'too_long'],
    ['a bidi mark in it', { name: 'Meri\u202edian' }, 'name', 'hidden_character'],
    ['nothing but zero width', { name: '\u200b' }, 'name', 'hidden_character'],
    ['a line break in it', { name: 'Meri\ndian' }, 'name', 'hidden_character'],
    ['the name of another profile', { name: 'NORTH star' }, 'name', 'taken'],
    ['a name that only looks different', { name: 'Ｎorth Star' }, 'name', 'taken'],
    ['a name with letters of another script', { name: 'Nоrth Stаr' }, 'name', 'taken'],
    ['a name with a digit for a letter', { name: 'N0rth Star' }, 'name', 'taken'],
    ['two spaces that look like one', { name: 'North  Star' }, 'name', 'hidden_character'],
    ['the name of Demo', { name: 'northwind MEDIA' }, 'name', 'taken'],
    ['Demo itself', { name: 'demo' }, 'name', 'taken'],
    ['no zone', { zone: '' }, 'zone', 'required'],
    ['an unknown zone', { zone: 'Europe/Atlantis' }, 'zone', 'unknown_zone'],
    ['an offset for a zone', { zone: '+02:00' }, 'zone', 'unknown_zone'],
    ['a bad address', { apiUrl: 'nowhere' }, 'apiUrl', 'not_an_address'],
  ])('%s is refused', (_name, written, field, code) => {
    const { profiles } = openProfiles();
    profiles.add({ ...meridian, name: 'North Star' });
    const failure = failureOf(() => profiles.add({ ...meridian, ...written }));
    expect(failure.code).toBe('validation_failed');
    expect(failure.fields.map((fault) => fault.field)).toEqual([field]);
    expect(failure.fields[0]?.code).toBe(code);
    expect(profiles.list()).toHaveLength(2);
  });

  test('every invalid field is named at once', () => {
    const { profiles } = openProfiles();
    const failure = failureOf(() =>
      profiles.add({ ...meridian, name: '', zone: '', baseUrl: '', apiUrl: '', mcpUrl: '' }),
    );
    expect(failure.fields.map(({ field }) => field)).toEqual(['name', 'zone', 'baseUrl', 'apiUrl', 'mcpUrl']);
  });
});

describe('the profiles of a data folder', () => {
  test('are Demo, then the others by name, and the chosen profile is active', () => {
    const { profiles, on } = openProfiles();
    const zebra = profiles.add({ ...meridian, name: 'zebra' });
    const apple = profiles.add({ ...meridian, name: 'Apple' });
    expect(profiles.list().map(({ name }) => name)).toEqual(['Northwind Media', 'Apple', 'zebra']);
    expect(profiles.current().id).toBe('demo');
    profiles.switchTo(zebra.id);
    expect(on({ liveAllowed: true }).current()).toEqual(zebra);
    expect(profiles.get(apple.id)).toMatchObject({ kind: 'live', account: '' });
    expect(codeOf(() => profiles.switchTo('nobody'))).toBe('profile_unknown');
    expect(profiles.current().id).toBe(zebra.id);
  });

  test('have ids that are never reused', () => {
    const { profiles } = openProfiles();
    const ids = Array.from({ length: 5 }, () => {
      const { id } = profiles.add(meridian);
      profiles.remove(id);
      return id;
    });
    expect(new Set(ids).size).toBe(5);
  });

  test('keep their name when edited, and cannot take the name of another profile', () => {
    const { profiles } = openProfiles();
    const one = profiles.add(meridian);
    const other = profiles.add({ ...meridian, name: 'Other' });
    expect(profiles.edit(one.id, { ...meridian, zone: 'UTC' })).toEqual({ ...one, zone: 'UTC' });
    expect(codeOf(() => profiles.edit(other.id, meridian))).toBe('validation_failed');
    expect(profiles.get(other.id).name).toBe('Other');
  });

  test('lose their account and cached data when their addresses change, and nothing when their name changes', () => {
    const { profiles, forgotten } = openProfiles();
    const { id } = profiles.add(meridian);
    profiles.setAccount(id, '31006');
    expect(profiles.edit(id, { ...meridian, name: 'Renamed' })).toMatchObject({ account: '31006' });
    expect(forgotten).toEqual([]);
    expect(profiles.edit(id, { ...meridian, apiUrl: 'https://other.example' })).toMatchObject({
      account: '',
    });
    expect(forgotten).toEqual([id]);
  });

  test('lose the data of the earlier account when the service names another', () => {
    const { profiles, forgotten } = openProfiles();
    const { id } = profiles.add(meridian);
    profiles.setAccount(id, '31006');
    profiles.setAccount(id, '31006');
    expect(forgotten).toEqual([]);
    profiles.setAccount(id, '31011');
    expect(forgotten).toEqual([id]);
    expect(profiles.get(id).account).toBe('31011');
  });

  test('have Demo as the active profile when the active one is removed', () => {
    const { profiles, forgotten } = openProfiles();
    const { id } = profiles.add(meridian);
    profiles.switchTo(id);
    profiles.remove(id);
    expect(profiles.current().id).toBe('demo');
    expect(codeOf(() => profiles.get(id))).toBe('profile_unknown');
    expect(forgotten).toEqual([id]);
  });

  test('always include Demo unchanged', () => {
    const { profiles } = openProfiles();
    expect(codeOf(() => profiles.edit('demo', meridian))).toBe('profile_fixed');
    expect(codeOf(() => profiles.remove('demo'))).toBe('profile_fixed');
    expect(codeOf(() => profiles.setAccount('demo', '1'))).toBe('profile_fixed');
  });
});

test('if live profiles are not allowed, only Demo exists, whatever is stored', () => {
  const { profiles, on } = openProfiles();
  const { id } = profiles.add(meridian);
  profiles.switchTo(id);
  const browser = on({ liveAllowed: false });
  expect(browser.list().map((profile) => profile.id)).toEqual(['demo']);
  expect(browser.current().id).toBe('demo');
  const refused = [
    () => browser.get(id),
    () => browser.switchTo(id),
    () => browser.add(meridian),
    () => browser.check(id, meridian),
    () => browser.edit(id, meridian),
    () => browser.setAccount(id, '1'),
    () => browser.remove(id),
  ];
  expect(refused.map(codeOf)).toEqual(refused.map(() => 'live_on_desktop_only'));
  expect(browser.switchTo('demo').id).toBe('demo');
  expect(profiles.get(id).name).toBe('Meridian');
});
