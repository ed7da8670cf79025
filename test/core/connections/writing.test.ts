import { expect, test } from 'vitest';
import { writingOf, type WritingFacts } from '#core/connections/profile-state.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const nowMs = new Date(2026, 10, 21, 15, 30).getTime();
const facts: WritingFacts = {
  service: 'ready',
  memberToken: 'held',
  isDemo: false,
  answeredAtMs: new Date(2026, 10, 21, 14, 2).getTime(),
  nowMs,
};

test.each<[string, Partial<WritingFacts>]>([
  ['the service is ready', {}],
  ['it was not asked yet', { service: 'unknown', answeredAtMs: null }],
])('changes can be made while %s', (_when, change) => {
  expect(writingOf({ ...facts, ...change }, defaultFormats)).toEqual({ off: null });
});

const away = 'Changes are off until it is back; Countersign keeps asking.';

test.each<[string, Partial<WritingFacts>, because: string, next: string]>([
  ['away', { service: 'unreachable' }, 'The service has not answered since 14:02.', away],
  [
    'unreachable since yesterday',
    { service: 'unreachable', answeredAtMs: new Date(2026, 10, 20, 9, 5).getTime() },
    'The service has not answered since 20 Nov, 09:05.',
    away,
  ],
  [
    'unreachable from the beginning',
    { service: 'unreachable', answeredAtMs: null },
    'The service has not answered yet.',
    away,
  ],
  [
    'signed out by the service',
    { service: 'signed-out' },
    'The service does not take the member token: it is wrong or has expired.',
    'Replace it on the Profiles page.',
  ],
  [
    'refused by the embedded service, whose token is never pasted',
    { service: 'signed-out', isDemo: true },
    'The service does not take the member token: it is wrong or has expired.',
    'Countersign keeps asking.',
  ],
  [
    'without a token',
    { service: 'signed-out', memberToken: 'none' },
    'This profile has no member token yet.',
    'Add one on the Profiles page.',
  ],
  [
    'with a token of another session',
    { service: 'signed-out', memberToken: 'other-key' },
    'The member token of this profile was kept under the key of another session.',
    'Add it again on the Profiles page.',
  ],
])('changes are off while %s, with the reason and a remedy', (_when, change, because, next) => {
  expect(writingOf({ ...facts, ...change }, defaultFormats)).toEqual({ off: { because, next } });
});
