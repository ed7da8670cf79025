import { expect, test } from 'vitest';
import type { SessionState } from '#renderer/stores/session/index.ts';
import { profileStep } from '#renderer/stores/session/session-store.ts';
import type { ErrorCode } from '#shared/errors/index.ts';

const standing = (kind: 'demo' | 'live', service = 'ready'): Pick<SessionState, 'session' | 'status'> =>
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
  expect(profileStep(standing('live'), code)).toBe(step);
});

test.each(rows)('after %s the Demo profile is read again: it has nothing to set up', (code) => {
  expect(profileStep(standing('demo'), code)).toBeNull();
});

test('earlier rows that stand in while the service takes no token lead to the token, else to reading again', () => {
  expect(profileStep(standing('live', 'signed-out'), null)).toBe('Check member token');
  expect(profileStep(standing('live', 'unreachable'), null)).toBeNull();
});
