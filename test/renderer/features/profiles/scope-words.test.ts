import { describe, expect, test } from 'vitest';
import { missingScopes, withScope } from '#renderer/features/profiles/profile-words.ts';
import type { ExtraScope } from '#shared/app-api/index.ts';

test('what is granted already is not offered again', () => {
  expect(missingScopes([])).toEqual(['svc:write', 'svc:upload', 'offline_access']);
  expect(missingScopes(['svc:read', 'svc:write'])).toEqual(['svc:upload', 'offline_access']);
});

describe('uploads go together with changes', () => {
  const choose = (chosen: ExtraScope[], scope: ExtraScope, on: boolean, granted: string[] = []): string[] =>
    withScope(chosen, { scope, on, granted });

  test('ticking uploads ticks changes, unless they are granted already', () => {
    expect(choose([], 'svc:upload', true)).toEqual(['svc:write', 'svc:upload']);
    expect(choose([], 'svc:upload', true, ['svc:write'])).toEqual(['svc:upload']);
  });

  test('clearing changes clears uploads, and nothing else', () => {
    expect(choose(['svc:write', 'svc:upload', 'offline_access'], 'svc:write', false)).toEqual([
      'offline_access',
    ]);
    expect(choose(['svc:write', 'svc:upload'], 'svc:upload', false)).toEqual(['svc:write']);
  });
});
