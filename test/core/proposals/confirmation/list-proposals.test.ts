import { expect, test } from 'vitest';
import type { ListedProposal, ProposalPageQuery } from '#core/store/app/index.ts';
import { listProposals } from '#core/proposals/confirmation/list-proposals.ts';
import type { AppInput } from '#shared/app-api/index.ts';
import { exampleStored } from '#test/core/store/app/stored-proposal.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const claude = { kind: 'agent', name: 'Claude Code', sinceMs: 0, agentId: 'agent-1' } as const;
const codex = { kind: 'agent', name: 'Claude Code', sinceMs: 0, agentId: 'agent-2' } as const;

function proposal(
  id: string,
  worstWarning: ListedProposal['headline']['worstWarning'],
  dollars: number | null,
  change: Partial<ListedProposal> = {},
): ListedProposal {
  const stored = exampleStored({ id });
  const after =
    dollars === null
      ? { text: 'Unlimited', unlimited: true, micros: '' }
      : { text: `$${dollars}`, unlimited: false, micros: `${dollars}000000` };
  const perDay = { before: stored.headline.perDay.before, after };
  return { ...stored, headline: { ...stored.headline, worstWarning, perDay }, ...change };
}

const queue = [
  proposal('06', null, 900),
  proposal('05', 'danger', 20, { proposedBy: codex }),
  proposal('04', 'warning', 50, { proposedBy: claude }),
  proposal('03', 'warning', 50),
  proposal('02', 'danger', null, { proposedBy: claude }),
  proposal('01', 'notice', 5),
];

/** Lists the open proposals. Settled proposals can still be found by id. */
function listed(open: readonly ListedProposal[], input: Partial<AppInput<'proposals.list'>>) {
  const proposals = {
    page: ({ limit }: ProposalPageQuery) => ({ proposals: open.slice(0, limit), total: open.length }),
    findListed: (id: string) => queue.find((one) => one.id === id) ?? null,
  };
  return listProposals(proposals, { which: 'waiting', before: null, limit: 10, ...input }, defaultFormats);
}

const idsOf = ({ items }: ReturnType<typeof listed>): string => items.map(({ id }) => id).join(' ');

test('the queue is sorted by danger, then by money per day, then by age', () => {
  expect(idsOf(listed(queue, { order: 'risk' }))).toBe('02 05 03 04 01 06');
  expect(idsOf(listed(queue, { order: 'newest' }))).toBe('06 05 04 03 02 01');
  expect(idsOf(listed(queue, {}))).toBe('06 05 04 03 02 01');
});

test('the list can be limited to one proposer, and agents with equal names are separate proposers', () => {
  const by = { kind: 'agent', agentId: 'agent-1' } as const;
  const found = listed(queue, { order: 'risk', by });
  expect(idsOf(found)).toBe('02 04');
  expect(found.total).toBe(2);
  expect(found.proposers).toEqual([
    { kind: 'person', name: 'You', agentId: null, count: 3 },
    { kind: 'agent', name: 'Claude Code', agentId: 'agent-2', count: 1 },
    { kind: 'agent', name: 'Claude Code', agentId: 'agent-1', count: 2 },
  ]);
});

test.each(['risk', 'newest'] as const)(
  'pages ordered by %s list each proposal once, even if the last proposal of a page has left the queue',
  (order) => {
    const all = listed(queue, { order }).items.map(({ id }) => id);
    const first = listed(queue, { order, limit: 3 }).items.map(({ id }) => id);
    const last = first.at(-1) ?? '';
    const left = queue.filter(({ id }) => id !== last);
    const rest = listed(left, { order, before: last }).items.map(({ id }) => id);
    expect([...first, ...rest]).toEqual(all);
  },
);
