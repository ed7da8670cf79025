import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ComparedField, FieldOperand, ListedProposal } from '#core/store/app/index.ts';
import { commonOperand, explains, explainsAll } from '#core/proposals/operations/batch/common-operand.ts';
import { groupsOf } from '#core/proposals/operations/batch/groups.ts';
import { titles } from '#shared/wording/index.ts';
import { describeUpdate } from '#core/proposals/operations/describe-write.ts';
import type { ProposalWords } from '#core/proposals/operations/operation.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { exampleStored } from '#test/core/store/app/stored-proposal.ts';
import { runs } from '#test/setup/property-runs.ts';
import { createFormats, defaultFormats } from '#shared/lib/formats.ts';

const you = { kind: 'person', name: 'You', sinceMs: null, agentId: null } as const;
const claude = { kind: 'agent', name: 'Claude Code', sinceMs: 0, agentId: 'agent-1' } as const;
const profile = { id: 'demo', name: 'Demo', kind: 'demo', account: '7', zone: 'UTC' } as const;

function wordsOf(
  before: JsonObject,
  after: JsonObject,
  proposedBy: ListedProposal['proposedBy'] = you,
  formats = defaultFormats,
): ProposalWords {
  const campaign = { ...exampleCampaign(), ...before };
  const { types, settings } = exampleContext();
  return describeUpdate(
    {
      payload: JSON.stringify({ ...campaign, ...after }),
      base: JSON.stringify({ campaign, campaign_types: types, settings }),
      createdAtMs: Date.UTC(2026, 10, 20, 12),
      profile,
      proposedBy,
      rebase: null,
    },
    formats,
  );
}

const comparedOf = (...args: Parameters<typeof wordsOf>): ComparedField[] | null =>
  wordsOf(...args).comparable;

/** Returns the sentence of the operand that explains these changes of one field; null if no operand explains them. */
function together(field: string, ...pairs: readonly (readonly [number, number])[]): string | null {
  const operand = commonOperand(pairs.map(([from, to]) => comparedOf({ [field]: from }, { [field]: to })));
  return operand === null ? null : titles.operand(operand, defaultFormats);
}

test('equal changes form one group even if their numbers were written in different formats', () => {
  const asked = (from: number, formats = defaultFormats): ComparedField[] | null =>
    comparedOf({ t_revenue: from }, { t_revenue: 5_100 }, you, formats);
  const one = asked(5_000);
  const other = asked(5_050, createFormats({ numbers: 'space', zone: undefined }));
  expect(one).toMatchObject([{ text: '“$5,100.00”' }]);
  expect(other).toMatchObject([{ text: '“$5\u202F100.00”' }]);
  const operand = commonOperand([one, other]);
  expect(operand).not.toBeNull();
  expect(explainsAll(operand ?? [], other ?? [])).toBe(true);
});

describe('one operand explains a group of changes', () => {
  test.each<[string, string, [number, number][], string]>([
    ['a single bid', 'payout', [[1, 1.499]], 'Raise bids by 49.9%'],
    [
      'the same ratio',
      'payout',
      [
        [0.02, 0.03],
        [0.4, 0.6],
      ],
      'Raise bids by 50%',
    ],
    [
      'a ratio that is shown rounded',
      'payout',
      [
        [3, 1],
        [0.3, 0.1],
      ],
      'Lower bids by about 66.7%',
    ],
    [
      'the same ratio of budgets',
      'd_revenue',
      [
        [50, 75],
        [200, 300],
      ],
      'Raise daily budgets by 50%',
    ],
    [
      'the same amount added to budgets',
      'd_revenue',
      [
        [50, 75],
        [100, 125],
      ],
      'Raise daily budgets by $25.00',
    ],
    [
      'a small raise by the same percentage',
      'd_revenue',
      [
        [1000, 1001],
        [2000, 2002],
      ],
      'Raise daily budgets by 0.1%',
    ],
    [
      'a small raise by the same amount',
      'd_revenue',
      [
        [1000, 1001],
        [3000, 3001],
      ],
      'Raise daily budgets by $1.00',
    ],
    [
      'the same percentage, rounded',
      'payout',
      [
        [0.45, 0.5],
        [0.33, 0.36],
      ],
      'Raise bids by 10%, rounded to 2 decimals',
    ],
    [
      'the same percentage, rounded half up',
      'payout',
      [
        [0.125, 0.138],
        [0.45, 0.495],
      ],
      'Raise bids by 10%, rounded to 3 decimals',
    ],
    [
      'a rounded percentage with the decimals that the results need',
      'payout',
      [
        [0.45, 0.473],
        [0.37, 0.389],
      ],
      'Raise bids by 5%, rounded to 3 decimals',
    ],
    [
      'a cut by the same percentage, rounded',
      'payout',
      [
        [0.45, 0.41],
        [0.33, 0.3],
        [0.5, 0.45],
      ],
      'Lower bids by 10%, rounded to 2 decimals',
    ],
  ])('%s', (_name, field, pairs, title) => {
    expect(together(field, ...pairs)).toBe(title);
  });

  test('the same new value', () => {
    const members = [40, 45].map((from) => comparedOf({ d_revenue: from }, { d_revenue: 50 }));
    expect(commonOperand(members)).toMatchObject([{ by: 'set', value: 50 }]);
  });

  test.each<[string, string, [number, number][]]>([
    [
      'ratios that only look alike when rounded',
      'payout',
      [
        [1, 1.499],
        [1, 1.501],
        [1, 1.52],
      ],
    ],
    [
      'a result that is one digit off the rounded result',
      'payout',
      [
        [0.125, 0.139],
        [0.45, 0.495],
      ],
    ],
    [
      'a result that was cut off instead of rounded',
      'payout',
      [
        [0.125, 0.137],
        [2, 2.2],
      ],
    ],
    [
      'a raise and a cut',
      'payout',
      [
        [0.4, 0.5],
        [0.5, 0.4],
      ],
    ],
    [
      'changes by neither the same percentage nor the same amount',
      'd_revenue',
      [
        [50, 75],
        [100, 120],
      ],
    ],
    [
      'an amount smaller than a micro',
      'payout',
      [
        [0.1, 0.11],
        [0.2, 0.2200001],
      ],
    ],
  ])('but does not explain %s', (_name, field, pairs) => {
    expect(together(field, ...pairs)).toBeNull();
  });

  test('but does not explain another field or an additional field', () => {
    const bid = comparedOf({ payout: 0.4 }, { payout: 0.5 });
    expect(commonOperand([bid, comparedOf({ d_revenue: 40 }, { d_revenue: 50 })])).toBeNull();
    expect(commonOperand([bid, comparedOf({ payout: 0.4 }, { payout: 0.5, name: 'x' })])).toBeNull();
  });

  test('but does not explain changes that cross a danger level, even if the added amount is the same', () => {
    expect(comparedOf({ payout: 0.01 }, { payout: 0.11 })).toBeNull();
    expect(together('payout', [0.01, 0.11], [0.5, 0.6])).toBeNull();
  });
});

describe('a change to another host', () => {
  const address = (host: string, rest = '/c?cid={click_id}'): JsonObject => ({
    clickurl: `https://${host}${rest}`,
  });
  const change = comparedOf(address('track.example'), address('click.example'));

  test('groups a person’s own changes, whatever the rest of their addresses is', () => {
    const other = comparedOf(address('track.example', '/other?x=1'), address('click.example', '/other?x=1'));
    const operand = commonOperand([change, other]);
    expect(operand).toEqual([
      { by: 'host', field: 'clickurl', before: 'track.example', after: 'click.example' },
    ]);
    expect(titles.operand(operand ?? [], defaultFormats)).toMatch(
      /^Change the host of the .* from “track\.example” to “click\.example”$/,
    );
  });

  test.each<[string, ComparedField[] | null]>([
    ['an agent proposes it', comparedOf(address('track.example'), address('click.example'), claude)],
    ['the old hosts differ', comparedOf(address('track2.example'), address('click.example'))],
    ['the new hosts differ', comparedOf(address('track.example'), address('cl1ck.example'))],
    ['the path changes too', comparedOf(address('track.example'), address('click.example', '/d'))],
    [
      'another field changes too',
      comparedOf(address('track.example'), { ...address('click.example'), name: 'x' }),
    ],
    [
      'the change contains another danger',
      comparedOf(address('track.example'), { ...address('click.example'), enable_time: 0, payout: 9 }),
    ],
    ['the address names a user', comparedOf(address('track.example'), address('a@click.example'))],
  ])('is not grouped if %s', (_name, other) => {
    expect(commonOperand([change, other])).toBeNull();
  });
});

const amount = fc.bigInt({ min: 1n, max: 2_000n });

function comparedBid([before, after]: readonly [bigint, bigint]): ComparedField {
  const micros = (value: bigint): string => (value * 1000n).toString();
  return {
    kind: 'amount',
    field: 'payout',
    unit: 'money',
    before: micros(before),
    after: micros(after),
    value: Number(after) / 1000,
    text: String(after),
  };
}

/** Makes one undecided proposal per bid, in thousandths. */
function waiting(pairs: readonly (readonly [bigint, bigint])[]): ListedProposal[] {
  return pairs.map((pair, index) => {
    const stored = exampleStored({ id: `p${index}` });
    return { ...stored, headline: { ...stored.headline, comparable: [comparedBid(pair)] } };
  });
}

test('every member of a group is explained by the operand of the group', () => {
  // Few percentages over many bids, so that groups arise, mixed with arbitrary changes.
  const scaled = fc
    .tuple(amount, fc.constantFrom(900n, 1050n, 1100n))
    .map(([before, share]) => [before, (2n * before * share + 1000n) / 2000n] as const);
  const anything = fc.tuple(amount, amount);
  const changed = fc.oneof(scaled, anything).filter(([before, after]) => before !== after && after > 0n);
  let grouped = 0;
  fc.assert(
    fc.property(fc.array(changed, { minLength: 2, maxLength: 25 }), (pairs) => {
      const open = waiting(pairs);
      const groups = Map.groupBy(open, ({ id }) => groupsOf(open, defaultFormats).get(id)?.groupKey ?? null);
      expect(groups.has(null)).toBe(false);
      for (const [key, members] of groups) {
        const operand = JSON.parse(key ?? '') as FieldOperand[];
        for (const { headline } of members)
          expect(explainsAll(operand, headline.comparable ?? [])).toBe(true);
        if (members.length > 1) grouped += 1;
      }
    }),
    runs(100),
  );
  expect(grouped).toBeGreaterThan(0);
});

test('an operand maps each old value to exactly one new value', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 3 }),
      amount,
      (pairs, other) => {
        const operand = commonOperand(pairs.map((pair) => [comparedBid(pair)]))?.[0];
        const [before, after] = pairs[0] ?? [0n, 0n];
        fc.pre(operand !== undefined && other !== after);
        expect(explains(operand, comparedBid([before, other]))).toBe(false);
      },
    ),
  );
});

test('groups stay within one profile and account, and list changes that arrived after a batch was opened', () => {
  const [first, second, elsewhere] = waiting([
    [450n, 495n],
    [125n, 138n],
    [450n, 495n],
  ]) as [ListedProposal, ListedProposal, ListedProposal];
  const other = { ...elsewhere, profile: { ...elsewhere.profile, account: '8' } };
  const found = groupsOf([first, second, other], defaultFormats);
  expect(found.get(first.id)?.groupTitle).toBe('Raise bids by 10%, rounded to 3 decimals');
  expect(found.get(second.id)).toEqual(found.get(first.id));
  expect(found.get(other.id)?.groupTitle).toBe('Raise bids by 10%');

  const operand = commonOperand([first.headline.comparable, second.headline.comparable]);
  const batch: ListedProposal = {
    ...first,
    id: 'b',
    operation: 'batch',
    headline: { ...first.headline, comparable: null, operand },
  };
  const late = { ...first, id: 'late' };
  const after = groupsOf([late, batch], defaultFormats);
  expect(after.get('late')).toEqual(after.get('b'));
});
