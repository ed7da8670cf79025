import { describe, expect, test } from 'vitest';
import { countries, countryGroups, countryName, parseCountryCode } from '#shared/campaign/index.ts';

describe('countries', () => {
  test('include all 249 of ISO 3166-1 once, with an English name', () => {
    expect(countries()).toHaveLength(249);
    expect(new Set(countries().map(({ code }) => code)).size).toBe(249);
    expect(countries().filter(({ code, name }) => code === name)).toEqual([]);
  });

  test('are each at most once in a group', () => {
    const codes = new Set(countries().map(({ code }) => code));
    for (const { name, members } of countryGroups) {
      expect(
        members.filter((code) => !codes.has(code)),
        name,
      ).toEqual([]);
      expect(new Set(members).size, name).toBe(members.length);
    }
    expect(countryGroups.find(({ name }) => name === 'European Union')?.members).toHaveLength(27);
  });

  test.each([
    ['br', 'BR'],
    [' Brazil ', 'BR'],
    ['Côte d’Ivoire', 'CI'],
    ['UK', 'GB'],
    ['united states', 'US'],
    ['ZZ', null],
    ['Atlantis', null],
    ['', null],
  ])('include “%s” as %s', (text, code) => {
    expect(parseCountryCode(text)).toBe(code);
  });

  test('have no name for an unknown code', () => {
    expect(countryName('ZZ')).toBeNull();
    expect(countryName('de')).toBe('Germany');
  });
});
