import { expect, test } from 'vitest';
import type { ReviewProgress, Showing, Turned } from '#shared/host-api/index.ts';
import { armingDelayMs } from '#shared/host-api/index.ts';
import { campaignNow, changeElsewhere, createWorld, type World } from '../world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';

interface Queue {
  world: World;
  /** Equal pauses, oldest first. */
  pauses: string[];
  /** A tripled bid. It has the highest risk and is decided alone. */
  outlier: string;
}

async function queueOf(count: number): Promise<Queue> {
  const world = await createWorld({ campaigns: 60 });
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const [first, ...others] = data.filter(({ status, payout }) => status === 1 && payout < 0.3);
  const pauses: string[] = [];
  for (const { cid } of others.slice(0, count)) {
    pauses.push((await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 })).id);
  }
  expect(pauses).toHaveLength(count);
  const cid = first?.cid ?? 0;
  const from = Number((await campaignNow(world, cid))['payout']);
  const changes = [{ field: 'payout', from, to: Number((from * 3).toFixed(4)) }];
  const { id: outlier } = await proposeUpdate(world.core.handlers, { cid, changes });
  return { world, pauses, outlier };
}

/** Goes to the next or previous change as a person does, after the buttons are armed. */
async function turn(
  world: World,
  { showingId, nonce }: Showing,
  to: 'together' | 'next' | 'previous' | 'later',
) {
  const turned = await world.core.confirmation.turn({ showingId, nonce, to });
  if (turned.showing !== null) {
    world.core.confirmation.seen(turned.showing);
    world.clock.advance(armingDelayMs);
  }
  return turned;
}

function shownIn({ showing }: Turned): Showing {
  if (showing === null) throw new Error('The review has ended');
  return showing;
}

const place = ({ review }: { review?: ReviewProgress | undefined }): string =>
  review === undefined ? 'alone' : `${review.from}-${review.to} of ${review.total}`;

test('a review goes from the highest risk to the lowest, and ends with what was decided and what still waits', async () => {
  const { world, pauses, outlier } = await queueOf(3);
  const first = await world.look(outlier);
  expect(place(first)).toBe('1-1 of 4');
  expect(first.review).toMatchObject({ hasPrevious: false, hasNext: true, identical: 0, waiting: 4 });
  const denied = await world.deny(first, 'Too much');
  expect(denied.review).toMatchObject({ denied: 1, waiting: 3, hasNext: true });

  const second = shownIn(await turn(world, first, 'next'));
  expect(place(second)).toBe('2-2 of 4');
  expect(second.review?.identical).toBe(3);
  const third = shownIn(await turn(world, second, 'later'));
  const back = shownIn(await turn(world, third, 'previous'));
  expect(back.proposal.id).toBe(second.proposal.id);
  const again = shownIn(await turn(world, back, 'later'));
  const approved = await world.approve(again);
  expect(approved.proposal.state).toBe('verified');
  const last = shownIn(await turn(world, again, 'next'));
  const ended = await turn(world, last, 'next');
  expect(ended).toMatchObject({
    showing: null,
    review: { approved: 1, denied: 1, putAway: 1, waiting: 1, total: 4 },
  });
  expect(world.puts()).toBe(1);
  // From the summary the person continues with the undecided proposals.
  const left = shownIn(await turn(world, last, 'next'));
  expect([second.proposal.id, last.proposal.id]).toContain(left.proposal.id);
  expect(pauses).toContain(left.proposal.id);
});

test('identical changes become one batch in place of them all, and the outlier is not in it', async () => {
  const { world, pauses, outlier } = await queueOf(3);
  const first = await world.look(pauses[1] ?? '');
  expect(first.review).toMatchObject({ total: 4, identical: 3 });
  const batch = shownIn(await turn(world, first, 'together'));
  expect(batch.proposal.operation).toBe('batch');
  expect(place(batch)).toMatch(/-\d of 4$/u);
  const { detail } = batch.proposal;
  const members = detail.kind === 'batch' ? detail.members.map(({ id }) => id) : [];
  expect(members.toSorted()).toEqual(pauses.toSorted());
  const { proposal, review } = await world.approve(batch);
  expect(proposal.state).toBe('done');
  expect(review).toMatchObject({ approved: 3, waiting: 1, total: 4 });
  const asked = await world.core.handlers['proposals.get']({ id: outlier });
  expect(asked.state).toBe('proposed');
});

test('a turn is refused before the buttons arm, with another nonce, during a decision, and from a showing that was left', async () => {
  const { world, outlier } = await queueOf(2);
  const { turn: turnNow } = world.core.confirmation;
  const first = await world.look(outlier);
  const { showingId, nonce } = first;
  await expect(turnNow({ showingId, nonce: 'another', to: 'next' })).rejects.toMatchObject({
    code: 'showing_unknown',
  });
  world.core.confirmation.seen(first);
  await expect(turnNow({ showingId, nonce, to: 'next' })).rejects.toMatchObject({
    code: 'confirmation_too_early',
  });
  await expect(turnNow({ showingId, nonce, to: 'together' })).rejects.toMatchObject({
    code: 'confirmation_too_early',
  });
  world.clock.advance(armingDelayMs);
  const next = shownIn(await turnNow({ showingId, nonce, to: 'next' }));
  await expect(turnNow({ showingId, nonce, to: 'next' })).rejects.toMatchObject({ code: 'showing_unknown' });
  await expect(world.deny(first)).rejects.toMatchObject({ code: 'showing_unknown' });
  // The buttons of the next confirmation must arm again.
  await expect(world.approve(next)).rejects.toMatchObject({ code: 'confirmation_too_early' });
  world.core.confirmation.seen(next);
  world.clock.advance(armingDelayMs);
  const deciding = world.approve(next);
  await expect(turnNow({ ...keyOf(next), to: 'next' })).rejects.toMatchObject({ code: 'showing_unknown' });
  expect((await deciding).proposal.state).toBe('verified');
});

const keyOf = ({ showingId, nonce }: Showing): { showingId: string; nonce: string } => ({ showingId, nonce });

test('a change that is the only one has no review, and what arrives meanwhile follows at the end', async () => {
  const { world, pauses, outlier } = await queueOf(1);
  const first = await world.look(outlier);
  expect(place(first)).toBe('1-1 of 2');
  await world.core.handlers['proposals.withdraw']({ id: pauses[0] ?? '' });
  expect(place(world.core.confirmation.look(first))).toBe('alone');
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'desc' });
  const { cid = 0 } = data.find(({ status }) => status === 1) ?? {};
  await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
  expect(place(world.core.confirmation.look(first))).toBe('1-1 of 2');
});

test('what was decided before a change is asked again stays in the review', async () => {
  const { world, pauses, outlier } = await queueOf(2);
  const first = await world.look(pauses[0] ?? '');
  await world.deny(first);
  const second = shownIn(await turn(world, first, 'previous'));
  expect(second.proposal.id).toBe(outlier);
  await changeElsewhere(world, second.proposal.targets[0]?.cid ?? 0, { name: 'Renamed elsewhere' });
  const { proposal, again } = await world.approve(second);
  expect(again?.proposal.id).toBe(proposal.replacedBy);
  expect(again?.review).toMatchObject({ from: 1, to: 1, total: 3, denied: 1, waiting: 2 });
});
