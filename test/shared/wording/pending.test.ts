import { expect, test } from 'vitest';
import { pendingWarnings } from '#shared/wording/index.ts';
import { statusCodes } from '#shared/contract/index.ts';
import { assessed } from '#test/fixtures/assessed.ts';
import { exampleCampaign } from '#test/fixtures/campaign.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const today = { date: '2026-12-31', time: '14:00', zone: 'Europe/Berlin' };

test.each(statusCodes.flatMap((from) => statusCodes.map((to) => [from, to] as const)))(
  'a change from %i to %i warns only if a member cannot undo it',
  (from, to) => {
    const isFinal = from === 0 && (to === 2 || to === 3);
    expect(pendingWarnings([from], to, defaultFormats)).toHaveLength(isFinal ? 1 : 0);
    const before = { ...exampleCampaign('push'), status: from };
    const after = { ...before, status: to };
    const { warnings } = assessed(before, after, today);
    expect(warnings.filter(({ code }) => code === 'leaves_pending')).toHaveLength(isFinal ? 1 : 0);
  },
);

test('several pending campaigns are counted', () => {
  expect(pendingWarnings([0, 1, 0, 4], 3, defaultFormats)).toEqual([
    {
      code: 'leaves_pending',
      severity: 'warning',
      text: '2 Pending campaigns become Paused. A member cannot undo this: members can neither set Pending again nor approve.',
    },
  ]);
});
