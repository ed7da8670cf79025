import { describe, expect, test } from 'vitest';
import {
  addressParts,
  macrosOf,
  parametersOf,
  parameterText,
  testAddress,
  withParameters,
} from '#shared/campaign/index.ts';

const address = 'https://go.example/lp?cid={click_id}&zone=[ZONE]&flag&empty=#top';

describe('an address with macros', () => {
  test('is split without losing a character', () => {
    const parts = addressParts(address);
    expect(parts.map(({ text }) => text).join('')).toBe(address);
    expect(parts.filter(({ isMacro }) => isMacro).map(({ text }) => text)).toEqual(['{click_id}', '[ZONE]']);
    expect(macrosOf(`${address}&again={click_id}`)).toEqual(['{click_id}', '[ZONE]']);
  });

  test('shows its parameters as written, and joins them back unchanged', () => {
    expect(parametersOf(address)).toEqual([
      { name: 'cid', value: '{click_id}' },
      { name: 'zone', value: '[ZONE]' },
      { name: 'flag', value: null },
      { name: 'empty', value: '' },
    ]);
    expect(withParameters(address, parametersOf(address))).toBe(address);
    expect(withParameters(address, [])).toBe('https://go.example/lp#top');
    expect(parametersOf('https://go.example/lp')).toEqual([]);
    expect(withParameters('https://go.example/lp', [{ name: 'a', value: '1' }])).toBe(
      'https://go.example/lp?a=1',
    );
  });

  test('escapes characters that would end a parameter, and keeps macros', () => {
    expect(parameterText('a&b #{click_id}%20')).toBe('a%26b%20%23{click_id}%20');
  });

  test('can be filled with samples for a test', () => {
    expect(testAddress(address)).toBe('https://go.example/lp?cid=click-8f3a21&zone=12345&flag&empty=#top');
    expect(testAddress('https://go.example/{something_else}')).toBe('https://go.example/sample');
  });
});
