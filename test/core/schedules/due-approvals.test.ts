import { expect, test } from 'vitest';
import { leftApprovalUnused } from '#core/proposals/proposing/app-commits.ts';
import { hasEnded } from '#core/schedules/schedules.ts';
import { createTaskTools, type TaskList } from '#core/service-client/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import { isExecuted, isOpen, proposalStates, type ProposalState } from '#shared/proposals/states.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { sentence } from '#shared/lib/sentence.ts';

const entry = (id: string, approvalId: string | null): JsonObject => ({
  id,
  kind: 'campaign_status',
  state: approvalId === null ? 'active' : 'due',
  approval:
    approvalId === null
      ? null
      : { id: approvalId, fingerprint: 'f', expiresAt: '2026-11-24T08:00:00Z', payload: {} },
});

function listOf(...pages: JsonValue[][]): Promise<TaskList> {
  async function callTool(_name: string, { offset }: JsonObject): Promise<JsonObject> {
    const at = Number(offset);
    const complete = at === pages.length - 1;
    const limits = { offset: at, limit: 100, total: pages.flat().length, totalExact: true, itemsExact: true };
    const sourcePagination = { ...limits, complete, nextOffset: complete ? null : at + 1 };
    return { structuredContent: { status: 'success', data: pages[at] ?? [], sourcePagination } };
  }
  return createTaskTools({ callTool }).list();
}

/** Reads a list from a single answer with only the pagination that the contract names (§2.7). */
function listOfContract(data: JsonValue[], sourcePagination: JsonObject): Promise<TaskList> {
  const structuredContent = { status: 'success', data, sourcePagination };
  return createTaskTools({ callTool: async () => ({ structuredContent }) }).list();
}

const due = { taskId: 'mornings', approvalId: 'first' };
const others = [entry('evenings', null), entry('nights', 'other')];

test.each<[what: string, pages: JsonValue[][], ended: boolean]>([
  ['the task waits with this approval', [[...others, entry('mornings', 'first')]], false],
  ['the task waits with another approval', [[...others, entry('mornings', 'second')]], true],
  ['the task no longer waits', [[...others, entry('mornings', null)]], true],
  ['the task is not in a complete list', [others], true],
  ['the list is empty', [[]], true],
  ['an entry could not be read, which may be the task', [[...others, { id: 7 }]], false],
  ['the task may have slipped past between two pages', [others, []], false],
  ['the task is on the second page', [others, [entry('mornings', 'first')]], false],
  ['the task is on the second page and does not wait', [others, [entry('mornings', null)]], true],
])('%s, and the approval counts as ended only if the read proves that', async (_, pages, ended) => {
  expect(hasEnded(due, await listOf(...pages))).toBe(ended);
});

test.each<[what: string, pagination: JsonObject, ended: boolean]>([
  ['complete, with flags outside the contract', { complete: true, exact: true, nextOffset: null }, true],
  ['complete, without a next offset', { complete: true }, true],
  ['not complete, without a next offset', { complete: false }, false],
])('a list that is %s is understood by the contract’s own members', async (_, pagination, ended) => {
  const list = await listOfContract(others, pagination);
  expect(list.tasks).toHaveLength(2);
  expect(hasEnded(due, list)).toBe(ended);
});

test.each<[end: string, state: ProposalState, code: ErrorCode | null, isUnused: boolean]>([
  ['the app died after the approval', 'withdrawn', 'stopped_before_sending', true],
  ['the account had changed', 'withdrawn', 'account_changed', true],
  ['a person withdrew it', 'withdrawn', null, false],
  ['a person denied it', 'denied', null, false],
  ['the decision was too old to be sent', 'expired', 'not_sent_in_time', true],
  ['no decision was made in time', 'expired', 'due_approval_ended', false],
  ['the campaign had changed', 'stale', 'proposal_stale', true],
  ['a read found nothing stored', 'refused', 'write_not_stored', true],
  ['the service accepted no more requests', 'refused', 'rate_limited', true],
  ['the service refused the change', 'refused', 'tool_refused', false],
  ['the outcome is unknown', 'unknown', 'outcome_unknown', false],
  ...proposalStates
    .filter((state) => isOpen(state) || isExecuted(state))
    .map((state): [string, ProposalState, null, false] => [`it is ${state}`, state, null, false]),
])('if %s, the due change waits again only if its approval was left unused', (_, state, code, isUnused) => {
  const outcome = code === null ? null : { code, message: sentence`` };
  expect(leftApprovalUnused({ state, outcome })).toBe(isUnused);
});
