import { describe, expect, test } from 'vitest';
import { lastChangeFact } from '#core/proposals/confirmation/proposal-view.ts';
import { describeStatus } from '#core/proposals/operations/describe-write.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { exampleStored } from '../../store/app/stored-proposal.ts';
import { createWorld, findCampaign, proposeBid } from '../world.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const factsTouched = ({ facts }: ProposalView): string[] =>
  facts.filter(({ before }) => before !== undefined).map(({ fact }) => fact);

test('a raised bid shows the facts of its campaign and marks the bid as the fact that changes', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  expect(proposal.facts.map(({ fact }) => fact)).toEqual([
    'buys',
    'budget',
    'countries',
    'hours',
    'host',
    'lastChange',
  ]);
  expect(factsTouched(proposal)).toEqual(['buys']);
});

test('a change of status keeps the facts that were read with it and changes none of them', async () => {
  const world = await createWorld();
  const { cid } = await findCampaign(world, ({ status }) => status === 1);
  const proposal = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
  expect(proposal.facts).toHaveLength(6);
  expect(proposal.facts.every(({ value }) => value !== '')).toBe(true);
  expect(factsTouched(proposal)).toEqual([]);
});

const lastChange = ({ facts }: ProposalView): string | undefined =>
  facts.find(({ fact }) => fact === 'lastChange')?.value;

test('the last change through this app is shown only while a later change is undecided', async () => {
  const world = await createWorld();
  const { proposal: denied, cid } = await proposeBid(world, 1.2);
  await world.deny(await world.look(denied.id));
  const { proposal } = await proposeBid(world, 1.1, cid);
  expect(lastChange(proposal)).toBe('None through this app');
  const display = await world.look(proposal.id);
  const { proposal: done } = await world.approve(display);
  expect(done.state).toBe('verified');
  expect(lastChange(done)).toBeUndefined();

  const pause = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
  expect(lastChange(pause)).toMatch(/^Bid raised by you on \d+ [A-Z][a-z]{2}$/);
  await world.approve(await world.look(pause.id));
  const { proposal: next } = await proposeBid(world, 1.1, cid);
  expect(lastChange(next)).toMatch(/^Paused by you on /);
});

test('a change of several campaigns does not count as the last change of a campaign that it left unchanged', async () => {
  const world = await createWorld();
  const running = await findCampaign(world, ({ status }) => status === 1);
  const paused = await findCampaign(world, ({ status }) => status === 3);
  const cids = [running.cid, paused.cid];
  const pause = await world.core.handlers['campaigns.proposeStatus']({ cids, status: 3 });
  await world.approve(await world.look(pause.id));
  const { proposal: one } = await proposeBid(world, 1.1, running.cid);
  expect(lastChange(one)).toMatch(/^Paused by you on /);
  const { proposal: other } = await proposeBid(world, 1.1, paused.cid);
  expect(lastChange(other)).toBe('None through this app');
});

test('equal changes in one batch show the facts that their campaigns share', async () => {
  const world = await createWorld();
  const first = await findCampaign(world, ({ status }) => status === 1);
  const second = await findCampaign(world, ({ status, cid }) => status === 1 && cid !== first.cid);
  const ids: string[] = [];
  for (const { cid } of [first, second]) {
    ids.push((await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 })).id);
  }
  const { id } = await world.core.handlers['proposals.reviewTogether']({ ids });
  const batch = await world.core.handlers['proposals.get']({ id });
  const [one, other] = await Promise.all(
    ids.map((member) => world.core.handlers['proposals.get']({ id: member })),
  );
  const shared = one?.facts.filter(({ fact, value }) =>
    other?.facts.some((view) => fact !== 'lastChange' && view.fact === fact && view.value === value),
  );
  expect(batch.facts).toEqual(shared);
});

test('a change of status shows no facts for a campaign that could not be read in full', () => {
  const exposure = {
    perDay: { kind: 'amount', micros: '5' },
    startsOn: null,
    untilEnd: { kind: 'amount', micros: '5' },
    endsOn: null,
  };
  const row = { status: 1, d_revenue: 0, t_revenue: 0 };
  const campaigns = [{ cid: 7, name: 'Old', row, exposure: { before: exposure, after: exposure } }];
  const words = describeStatus(
    {
      payload: JSON.stringify({ ids: [7], status: 3 }),
      base: JSON.stringify({ campaigns, countedAt: { date: '2026-11-20', time: '14:00', zone: 'UTC' } }),
      createdAtMs: 0,
      profile: { id: 'demo', name: 'Demo', kind: 'demo', account: '7', zone: 'UTC' },
      proposedBy: { kind: 'person', name: 'You', sinceMs: null, agentId: null },
      rebase: null,
    },
    defaultFormats,
  );
  expect(words.title).toBe('Pause “Old”');
  expect(words.facts).toEqual([]);
});

describe('the last change of a campaign, after a write of several campaigns of which one was not read back,', () => {
  const exposure = {
    perDay: { kind: 'amount', micros: '5' },
    startsOn: null,
    untilEnd: { kind: 'amount', micros: '5' },
    endsOn: null,
  };
  const campaign = (cid: number, status: number) => ({
    cid,
    name: `Campaign ${cid}`,
    row: { status, d_revenue: 0, t_revenue: 0 },
    exposure: { before: exposure, after: exposure },
  });
  const verdict = (cid: number, said: 'stored' | 'different' | 'unknown') => ({
    field: `${cid}.status`,
    label: 'Status',
    verdict: said,
    sent: 'Paused',
    found: '',
  });
  const pause = exampleStored({
    operation: 'campaign.status',
    state: 'differs',
    targets: [7, 8, 9],
    payload: JSON.stringify({ ids: [7, 8, 9], status: 3 }),
    base: JSON.stringify({
      campaigns: [campaign(7, 1), campaign(8, 1), campaign(9, 3)],
      countedAt: { date: '2026-11-20', time: '14:00', zone: 'UTC' },
    }),
    verdicts: [verdict(7, 'stored'), verdict(8, 'unknown')],
    intentAtMs: Date.UTC(2026, 10, 20),
  });
  const of = (cid: number, writes = [pause]): string | undefined =>
    lastChangeFact(exampleStored({ targets: [cid] }), {
      store: { proposals: { lastWritesTo: () => writes } },
      nowMs: () => Date.UTC(2026, 10, 23),
    })?.value;

  test('names that write and its outcome, and does not claim that nothing happened', () => {
    expect(of(7)).toMatch(/^Paused by /);
    expect(of(8)).toMatch(/by .* on 20 Nov, other values stored$/);
    expect(of(8, [{ ...pause, state: 'unknown', verdicts: [] }])).toMatch(/on 20 Nov, outcome unknown$/);
    expect(of(9)).toBe('None through this app');
  });

  test('is left empty when every write that was searched only lists the campaign', () => {
    expect(of(9, Array(10).fill(pause))).toBeUndefined();
    expect(of(8, [{ ...pause, prunedAtMs: 1, payload: '', base: '' }])).toMatch(/other values stored$/);
  });
});
