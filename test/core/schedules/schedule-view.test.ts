import { expect, test } from 'vitest';
import { scheduleView, type ScheduleViewing } from '#core/schedules/schedule-view.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import type { ScheduleView } from '#shared/app-api/index.ts';
import type { ScheduledTask } from '#shared/contract/index.ts';
import { proposalStates, type ProposalState } from '#shared/proposals/states.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const endsAt = '2026-11-24T08:00:00.000Z';
const endsAtMs = Date.parse(endsAt);

const task: ScheduledTask = {
  id: 'task-1',
  name: 'Pause every night',
  kind: 'campaign_status',
  state: 'due',
  schedule: { type: 'daily', time: '09:00', timezone: 'UTC' },
  parameters: { cids: [7], status: 'paused' },
  approval: { id: 'a1', fingerprint: 'f', expiresAt: endsAt, payload: {} },
};

/** Returns the stage of a due change, `leftMs` before its approval expires, with a proposal in this state or without one. */
function dueOf(
  of: ScheduledTask,
  { leftMs = 60_000, state = null }: { leftMs?: number; state?: ProposalState | null } = {},
): ScheduleView['due'] {
  const viewing: ScheduleViewing = {
    gate: {
      proposalsOfTask: () => [],
      proposalOfApproval: () => (state === null ? null : ({ id: 'p1', state } as StoredProposal)),
    },
    attribution: { creatorOf: () => ({ kind: 'unknown' }) },
    proposalOf: () => null,
    serviceClock: { nowMs: () => endsAtMs - leftMs },
  };
  return scheduleView(viewing, 'demo', of, defaultFormats).due;
}

test('an approval for another sign-in is not shown, and its change cannot be decided here', () => {
  const elsewhere = { stage: 'elsewhere', endsAtMs: null, proposalId: null };
  expect(dueOf({ ...task, approval: null })).toEqual(elsewhere);
  expect(dueOf({ ...task, approval: null, state: 'active' })).toBeNull();
});

test.each([
  [30_001, 'unproposed'],
  [30_000, 'too-late'],
  [-1, 'too-late'],
])('without a proposal, %i ms before the approval ends, a due change is %s', (leftMs, stage) => {
  expect(dueOf(task, { leftMs })).toEqual({ stage, endsAtMs, proposalId: null });
});

test.each(proposalStates)('a due change whose proposal is %s has exactly one stage', (state) => {
  const stages: Partial<Record<ProposalState, string>> = {
    proposed: 'waiting',
    shown: 'waiting',
    denied: 'denied',
    expired: 'too-late',
  };
  expect(dueOf(task, { state })).toEqual({
    stage: stages[state] ?? 'decided',
    endsAtMs,
    proposalId: 'p1',
  });
});
