import { describe, expect, test } from 'vitest';
import type { ProposalSummary } from '#shared/app-api/index.ts';
import { arrange, shownByItself } from '#renderer/features/proposals/stores/groups.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { sentence } from '#shared/lib/sentence.ts';

const money = (dollars: number | null): ProposalSummary['perDay']['after'] =>
  dollars === null
    ? { text: 'Unlimited', unlimited: true, micros: '' }
    : { text: `$${dollars}.00`, unlimited: false, micros: `${dollars}000000` };

const demo = { id: 'demo', name: 'Northwind Media', kind: 'demo', account: '7', zone: 'UTC' } as const;

function summary(id: string, change: Partial<ProposalSummary> = {}): ProposalSummary {
  return {
    id,
    operation: 'tool.call',
    state: 'proposed',
    title: sentence`Lower the bid of “${id}”`,
    profile: demo,
    proposedBy: { kind: 'agent', name: 'Claude Code', sinceMs: 1, agentId: 'agent-1' },
    createdAtMs: 1,
    expiresAtMs: 2,
    updatedAtMs: 1,
    outcome: null,
    replacedBy: null,
    targetCount: 1,
    perDay: { before: money(50), after: money(50) },
    worstWarning: null,
    groupKey: 'bid ×0.9',
    groupTitle: sentence`Lower bids by 10%`,
    askedBy: null,
    ...change,
  };
}

/** Returns one line per entry: the members of a group, or the id and mark of a single proposal. */
function lines(...items: ProposalSummary[]): string[] {
  return arrange(items, defaultFormats).map((entry) =>
    entry.kind === 'group'
      ? `[${entry.members.map(({ id }) => id).join(' ')}]${entry.afterBatch ? ' after the batch' : ''}`
      : `${entry.summary.id}${entry.apart === null ? '' : ` ${entry.apart}`}`,
  );
}

describe('waiting proposals', () => {
  test.each<[string, ProposalSummary[], string[]]>([
    ['no proposals make no groups', [], []],
    ['a single proposal forms no group', [summary('a')], ['a']],
    ['equal changes form one group, in the order of the list', [summary('b'), summary('a')], ['[b a]']],
    [
      'a different change keeps its position below the group, and is marked',
      [summary('b'), summary('a'), summary('x', { groupKey: 'bid ×3' })],
      ['[b a]', 'x below'],
    ],
    [
      'a different change keeps its position above the group, which has the position of its first member',
      [
        summary('x', { groupKey: null, worstWarning: 'danger' }),
        summary('b'),
        summary('y', { groupKey: 'other' }),
        summary('a'),
      ],
      ['x above', '[b a]', 'y below'],
    ],
    [
      'a risky change of another kind stays above a harmless group, unmarked',
      [
        summary('d', { operation: 'campaign.status', groupKey: null, worstWarning: 'danger' }),
        summary('b'),
        summary('a'),
      ],
      ['d', '[b a]'],
    ],
    [
      'a proposal of another kind keeps its position, unmarked',
      [summary('s', { operation: 'agent.admit', groupKey: null }), summary('b'), summary('a')],
      ['s', '[b a]'],
    ],
    [
      'without a group no proposal is marked',
      [summary('a'), summary('d', { groupKey: null, worstWarning: 'danger' })],
      ['a', 'd'],
    ],
    [
      'equal changes of different accounts form separate groups',
      [
        summary('a'),
        summary('b', { profile: { ...demo, account: '8' } }),
        summary('c'),
        summary('d', { profile: { ...demo, account: '8' } }),
      ],
      ['[a c]', '[b d]'],
    ],
    [
      'an approved change is no longer in the group',
      [summary('a'), summary('b', { state: 'intent' }), summary('c', { state: 'shown' })],
      ['[a c]', 'b'],
    ],
    [
      'proposals that arrive after a batch form a group of their own, which names the batch',
      [summary('l2'), summary('l1'), summary('batch', { operation: 'batch' })],
      ['[l2 l1] after the batch', 'batch'],
    ],
    [
      'a single proposal that arrives after a batch is marked as late',
      [summary('l1'), summary('batch', { operation: 'batch', state: 'intent' })],
      ['l1 late', 'batch'],
    ],
  ])('%s', (_name, items, expected) => {
    expect(lines(...items)).toEqual(expected);
  });

  test('a group keeps its key when it grows, and sums the money exactly', () => {
    const two = arrange([summary('b'), summary('a')], defaultFormats)[0];
    // The operand that explains all three differs from the operand of the first two.
    const groupKey = 'bid by 10%';
    const three = arrange(
      [
        summary('c', {
          groupKey,
          perDay: { before: money(10), after: money(12) },
        }),
        summary('b', { groupKey }),
        summary('a', { groupKey }),
      ],
      defaultFormats,
    )[0];
    if (two?.kind !== 'group' || three?.kind !== 'group') throw new Error('No group');
    expect(three.key).toBe(two.key);
    expect(three.perDay).toEqual({
      before: { text: '$110.00', unlimited: false, micros: '110000000' },
      after: { text: '$112.00', unlimited: false, micros: '112000000' },
    });
  });

  test('one unlimited member makes the sum unlimited', () => {
    const [group] = arrange(
      [summary('b', { perDay: { before: money(1), after: money(null) } }), summary('a')],
      defaultFormats,
    );
    expect(group).toMatchObject({ perDay: { before: { text: '$51.00' }, after: { unlimited: true } } });
  });

  test('a hundred waiting proposals are arranged in their groups', () => {
    const items = Array.from({ length: 100 }, (_, n) => summary(`p${n}`, { groupKey: `key ${n % 7}` }));
    expect(arrange(items, defaultFormats)).toHaveLength(7);
  });
});

const nothing = { selectedId: null, byItself: null, firstWaiting: null };

test('the newest waiting proposal is shown while no proposal is chosen', () => {
  expect(shownByItself({ ...nothing, firstWaiting: 'p2' })).toBe('p2');
  expect(shownByItself(nothing)).toBeNull();
});

test('the shown proposal stays in view when it is decided and when a newer proposal arrives', () => {
  expect(shownByItself({ ...nothing, byItself: 'p2' })).toBe('p2');
  expect(shownByItself({ ...nothing, byItself: 'p2', firstWaiting: 'p3' })).toBe('p2');
});

test('a proposal that a person chose is shown instead of the newest', () => {
  expect(shownByItself({ selectedId: 'p1', byItself: 'p2', firstWaiting: 'p3' })).toBeNull();
});
