import { describe, expect, test } from 'vitest';
import { everyRow } from '#shared/app-api/index.ts';
import type { DecisionResult, ReviewProgress, Display, Stepped } from '#shared/host-api/index.ts';
import { armingDelayMs } from '#shared/host-api/index.ts';
import { campaignNow, changeElsewhere, createWorld, holdNext, proposeBid, type World } from '../world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { rememberedMs } from '#core/proposals/confirmation/displays.ts';
import { eventually } from '#test/setup/eventually.ts';

interface Queue {
  world: World;
  /** Equal pauses, oldest first. */
  pauses: string[];
  /** A tripled bid. It has the highest risk and is decided alone. */
  outlier: string;
}

async function queueOf(count: number, campaigns = 60): Promise<Queue> {
  const world = await createWorld({ campaigns });
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
async function step(
  world: World,
  { displayId, nonce }: Display,
  to: 'together' | 'singly' | 'next' | 'previous' | 'later',
) {
  const stepped = await world.core.confirmation.step({ displayId, nonce, to });
  if (stepped.display !== null) {
    world.core.confirmation.seen(stepped.display);
    world.clock.advance(armingDelayMs);
  }
  return stepped;
}

function shownIn({ display }: Stepped): Display {
  if (display === null) throw new Error('The review has ended');
  return display;
}

const place = ({ review }: { review?: ReviewProgress | undefined }): string =>
  review === undefined ? 'alone' : `${review.from}-${review.to} of ${review.total}`;

test('a review goes from the highest risk to the lowest, and ends with a count of decided and waiting changes', async () => {
  const { world, pauses, outlier } = await queueOf(3);
  const first = await world.look(outlier);
  expect(place(first)).toBe('1-1 of 4');
  expect(first.review).toMatchObject({ hasPrevious: false, hasNext: true, identical: 0, waiting: 4 });
  const denied = await world.deny(first, 'Too much');
  expect(denied.review).toMatchObject({ denied: 1, waiting: 3, hasNext: true });

  const group = shownIn(await step(world, first, 'next'));
  const second = shownIn(await step(world, group, 'singly'));
  expect(place(second)).toBe('2-2 of 4');
  expect(second.review?.identical).toBe(3);
  const third = shownIn(await step(world, second, 'later'));
  const back = shownIn(await step(world, third, 'previous'));
  expect(back.proposal.id).toBe(second.proposal.id);
  const again = shownIn(await step(world, back, 'later'));
  const approved = await world.approve(again);
  expect(approved.proposal.state).toBe('verified');
  const last = shownIn(await step(world, again, 'next'));
  const ended = await step(world, last, 'next');
  expect(ended).toMatchObject({
    display: null,
    review: { approved: 1, denied: 1, postponed: 1, waiting: 1, total: 4 },
  });
  expect(world.puts()).toBe(1);
  // From the summary the person continues with the undecided proposals.
  const left = shownIn(await step(world, last, 'next'));
  expect([second.proposal.id, last.proposal.id]).toContain(left.proposal.id);
  expect(pauses).toContain(left.proposal.id);
});

test('identical changes are replaced by one batch, and the outlier is not in it', async () => {
  const { world, pauses, outlier } = await queueOf(3);
  const first = await world.look(pauses[1] ?? '');
  expect(first.review).toMatchObject({ total: 4, identical: 3 });
  const batch = shownIn(await step(world, first, 'together'));
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

const membersIn = ({ proposal: { detail } }: Display): string[] =>
  detail.kind === 'batch' ? detail.members.map(({ id }) => id) : [];

test('identical changes appear as one batch when the review reaches them, and the user can separate them', async () => {
  const { world, pauses, outlier } = await queueOf(3);
  const group = shownIn(await step(world, await world.look(outlier), 'next'));
  expect(membersIn(group).toSorted()).toEqual(pauses.toSorted());
  expect(place(group)).toBe('2-4 of 4');
  expect(group.review).toMatchObject({ canPart: true, identical: 0, hasPrevious: true, hasNext: false });
  const one = shownIn(await step(world, group, 'singly'));
  expect(pauses).toContain(one.proposal.id);
  expect(place(one)).toBe('2-2 of 4');
  expect(one.review).toMatchObject({ canPart: false, identical: 3 });
  const withdrawn = await world.core.handlers['proposals.get']({ id: group.proposal.id });
  expect(withdrawn.state).toBe('withdrawn');
  await expect(world.approve(group)).rejects.toMatchObject({ code: 'display_unknown' });
  const other = shownIn(await step(world, one, 'next'));
  expect(place(other)).toBe('3-3 of 4');
  await expect(step(world, other, 'singly')).rejects.toMatchObject({ code: 'proposal_not_waiting' });
  const again = shownIn(await step(world, other, 'together'));
  expect(membersIn(again)).toHaveLength(3);
  expect(world.puts()).toBe(0);
});

test('a change that the user postponed is in no batch that the review makes', async () => {
  const { world, pauses } = await queueOf(3);
  const group = shownIn(await step(world, await world.look(pauses[0] ?? ''), 'later'));
  expect(membersIn(group).toSorted()).toEqual(pauses.slice(1).toSorted());
});

test('changes without a warning come last, even if other changes arrive during the review', async () => {
  const { world, outlier } = await queueOf(1);
  const first = await world.look(outlier);
  expect(first.review).toMatchObject({ total: 2, withoutWarning: 1 });
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'desc' });
  const { cid = 0 } = data.find(({ status, payout }) => status === 1 && payout < 0.3) ?? {};
  const from = Number((await campaignNow(world, cid))['payout']);
  const changes = [{ field: 'payout', from, to: Number((from * 2.5).toFixed(4)) }];
  const { id: risky } = await proposeUpdate(world.core.handlers, { cid, changes });
  const second = shownIn(await step(world, first, 'next'));
  expect(second.proposal.id).toBe(risky);
  expect(second.review).toMatchObject({ from: 2, total: 3, withoutWarning: 1, hasNext: true });
});

test('a step is refused before the buttons are armed, with a wrong nonce, during a decision, and from a display that the review has left', async () => {
  const { world, outlier } = await queueOf(1);
  const { step: stepNow } = world.core.confirmation;
  const first = await world.look(outlier);
  const { displayId, nonce } = first;
  await expect(stepNow({ displayId, nonce: 'another', to: 'next' })).rejects.toMatchObject({
    code: 'display_unknown',
  });
  world.core.confirmation.seen(first);
  await expect(stepNow({ displayId, nonce, to: 'next' })).rejects.toMatchObject({
    code: 'confirmation_too_early',
  });
  await expect(stepNow({ displayId, nonce, to: 'together' })).rejects.toMatchObject({
    code: 'confirmation_too_early',
  });
  world.clock.advance(armingDelayMs);
  const next = shownIn(await stepNow({ displayId, nonce, to: 'next' }));
  await expect(stepNow({ displayId, nonce, to: 'next' })).rejects.toMatchObject({ code: 'display_unknown' });
  await expect(world.deny(first)).rejects.toMatchObject({ code: 'display_unknown' });
  // The buttons of the next confirmation must arm again.
  await expect(world.approve(next)).rejects.toMatchObject({ code: 'confirmation_too_early' });
  world.core.confirmation.seen(next);
  world.clock.advance(armingDelayMs);
  const deciding = world.approve(next);
  await expect(stepNow({ ...keyOf(next), to: 'next' })).rejects.toMatchObject({ code: 'display_unknown' });
  expect((await deciding).proposal.state).toBe('verified');
});

const keyOf = ({ displayId, nonce }: Display): { displayId: string; nonce: string } => ({ displayId, nonce });

test('a single change has no review, and a change that arrives meanwhile is placed at its end', async () => {
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

test('a decision stays in the review when an outdated change is proposed again', async () => {
  const { world, pauses, outlier } = await queueOf(2);
  const first = await world.look(pauses[0] ?? '');
  await world.deny(first);
  const second = shownIn(await step(world, first, 'previous'));
  expect(second.proposal.id).toBe(outlier);
  await changeElsewhere(world, second.proposal.targets[0]?.cid ?? 0, { name: 'Renamed elsewhere' });
  const { proposal, again } = await world.approve(second);
  expect(again?.proposal.id).toBe(proposal.replacedBy);
  expect(again?.review).toMatchObject({ from: 1, to: 1, total: 3, denied: 1, waiting: 2 });
});

describe('a decision in a review', () => {
  /** Decides and goes on, as the page of a review does, and waits until the next change may be decided. */
  async function decideOn(
    world: World,
    { displayId, nonce, fingerprint, proposal }: Display,
    decision: 'approve' | 'deny',
  ): Promise<DecisionResult> {
    const typed = decision === 'approve' ? (proposal.typeToConfirm?.value ?? null) : null;
    const key = { displayId, nonce, fingerprint };
    const result = await world.core.confirmation.decide({
      ...key,
      decision,
      reason: null,
      typed,
      continueReview: true,
    });
    const next = result.next?.display ?? null;
    if (next !== null) {
      world.core.confirmation.seen(next);
      world.clock.advance(armingDelayMs);
    }
    return result;
  }

  const nextIn = ({ next }: DecisionResult): Display => {
    if (next === undefined) throw new Error('The review did not go on');
    return shownIn(next);
  };

  const statesIn = (review: ReviewProgress | undefined): string[] =>
    (review?.decided ?? []).map(({ state }) => state);

  test('shows the next change while the approved change is sent, and reports the outcome there', async () => {
    const { world, outlier } = await queueOf(2);
    const first = await world.look(outlier);
    const { arrived, letGo } = holdNext(world, { method: 'PUT' });
    const result = await decideOn(world, first, 'approve');
    const second = nextIn(result);
    expect(second.review).toMatchObject({ from: 2, approved: 1, waiting: 2, decided: [{ id: outlier }] });
    await arrived;
    expect(statesIn(world.core.confirmation.look(second).review)).toEqual(['intent']);
    letGo();
    await eventually(() =>
      expect(world.core.confirmation.look(second).review?.decided).toMatchObject([
        { id: outlier, state: 'verified', canUndo: true },
      ]),
    );
    // The next change is still armed, and can be decided as always.
    expect((await decideOn(world, second, 'deny')).next?.review.decided).toMatchObject([
      { id: second.proposal.id, state: 'denied', canUndo: false },
      { id: outlier, state: 'verified' },
    ]);
    expect(world.puts()).toBe(1);
  });

  test('leaves a change that is being sent without any further step, and the change is sent once', async () => {
    const { world, outlier } = await queueOf(2);
    const first = await world.look(outlier);
    const { arrived, letGo } = holdNext(world, { method: 'PUT' });
    const second = nextIn(await decideOn(world, first, 'approve'));
    await arrived;
    for (const to of ['next', 'previous', 'later', 'together'] as const)
      await expect(world.core.confirmation.step({ ...keyOf(first), to })).rejects.toMatchObject({
        code: 'display_unknown',
      });
    await expect(
      world.core.confirmation.step({ ...keyOf(second), nonce: first.nonce, to: 'next' }),
    ).rejects.toMatchObject({
      code: 'display_unknown',
    });
    expect(() => world.core.confirmation.progress(keyOf(first))).toThrow(
      expect.objectContaining({ code: 'display_unknown' }),
    );
    for (const decision of ['approve', 'deny'] as const)
      await expect(decideOn(world, first, decision)).rejects.toMatchObject({ code: 'display_unknown' });
    letGo();
    await eventually(() =>
      expect(statesIn(world.core.confirmation.look(second).review)).toEqual(['verified']),
    );
    expect(world.puts()).toBe(1);
  });

  test('that is refused keeps the review at its change', async () => {
    const { world, outlier } = await queueOf(2);
    const first = await world.look(outlier);
    world.core.confirmation.seen(first);
    await expect(decideOn(world, first, 'approve')).rejects.toMatchObject({ code: 'confirmation_too_early' });
    expect(world.core.confirmation.look(first).review).toMatchObject({ from: 1, approved: 0, decided: [] });
    world.clock.advance(armingDelayMs);
    expect(nextIn(await decideOn(world, first, 'approve')).review?.approved).toBe(1);
  });

  test('ends the review when there are no other changes', async () => {
    const { world, outlier } = await queueOf(0);
    const result = await decideOn(world, await world.look(outlier), 'approve');
    expect(result).toMatchObject({
      proposal: { state: 'verified' },
      again: null,
      seal: { seq: expect.any(Number) },
    });
    expect(result).not.toHaveProperty('next');
  });

  test('on the last change shows a summary that follows the writes still being sent', async () => {
    const { world, outlier } = await queueOf(1);
    const second = nextIn(await decideOn(world, await world.look(outlier), 'deny'));
    const { arrived, letGo } = holdNext(world, { method: 'PUT' });
    const { next } = await decideOn(world, second, 'approve');
    expect(next).toMatchObject({ display: null, review: { approved: 1, denied: 1, waiting: 0, total: 2 } });
    await arrived;
    expect(statesIn(world.core.confirmation.progress(keyOf(second)))).toEqual(['intent', 'denied']);
    letGo();
    await eventually(() =>
      expect(statesIn(world.core.confirmation.progress(keyOf(second)))).toEqual(['verified', 'denied']),
    );
    const page = { beforeSeq: null, limit: 1, filter: everyRow };
    const { items } = await world.core.handlers['ledger.list'](page);
    const [{ seq, hash } = { seq: 0, hash: '' }] = items;
    expect(world.core.confirmation.progress(keyOf(second)).seal).toEqual({ seq, hash });
    expect(() => world.core.confirmation.progress({ ...keyOf(second), nonce: 'x' })).toThrow(
      expect.objectContaining({ code: 'display_unknown' }),
    );
  });

  test('on an outdated change shows its successor next', async () => {
    const { world, outlier } = await queueOf(2);
    const first = await world.look(outlier);
    await changeElsewhere(world, first.proposal.targets[0]?.cid ?? 0, { name: 'Renamed elsewhere' });
    const second = nextIn(await decideOn(world, first, 'approve'));
    await eventually(() => expect(second.review).toBeDefined());
    await eventually(async () => {
      const { replacedBy } = await world.core.handlers['proposals.get']({ id: outlier });
      expect(replacedBy).not.toBeNull();
    });
    const now = world.core.confirmation.look(second);
    expect(now.proposal.id).toBe(second.proposal.id);
    expect(now.review).toMatchObject({ total: 3, approved: 0, waiting: 3, hasNext: true });
    const third = shownIn(await step(world, second, 'next'));
    expect(third.proposal.rebase).toMatchObject({ of: outlier });
  });

  test('reports an unknown outcome and a refusal by the service', async () => {
    const { world, outlier } = await queueOf(2);
    world.service.faults.arm({ kind: 'answer', status: 500, method: 'PUT' });
    const second = nextIn(await decideOn(world, await world.look(outlier), 'approve'));
    await eventually(() =>
      expect(world.core.confirmation.look(second).review?.decided).toMatchObject([
        { state: 'unknown', canUndo: false, outcome: { code: 'outcome_unknown' } },
      ]),
    );
  });

  test('can be undone from the next change, and only if it belongs to this review', async () => {
    const { world, pauses, outlier } = await queueOf(2);
    const second = nextIn(await decideOn(world, await world.look(outlier), 'approve'));
    await eventually(() =>
      expect(statesIn(world.core.confirmation.look(second).review)).toEqual(['verified']),
    );
    const undo = (display: Display, proposalId: string): Promise<Stepped> =>
      world.core.confirmation.step({ ...keyOf(display), to: 'undo', proposalId });
    for (const id of [...pauses, 'unknown'])
      await expect(undo(second, id)).rejects.toMatchObject({ code: 'undo_impossible' });
    const undone = shownIn(await undo(second, outlier));
    expect(undone.proposal.undo).toMatchObject({ undoes: outlier });
    expect(undone.review).toMatchObject({ hasPrevious: true, decided: [{ id: outlier, canUndo: false }] });
    await expect(world.approve(undone)).rejects.toMatchObject({ code: 'confirmation_too_early' });
  });

  test('on a batch shows the next change and reports the outcome of each member', async () => {
    const { world, pauses } = await queueOf(3);
    const batch = shownIn(await step(world, await world.look(pauses[0] ?? ''), 'together'));
    const { next } = await decideOn(world, batch, 'approve');
    const shown = next?.display;
    const decided = (): ReviewProgress['decided'] | undefined =>
      shown
        ? world.core.confirmation.look(shown).review?.decided
        : world.core.confirmation.progress(keyOf(batch)).decided;
    await eventually(() =>
      expect(decided()).toMatchObject([
        {
          operation: 'batch',
          state: 'done',
          members: [{ state: 'verified' }, { state: 'verified' }, { state: 'verified' }],
        },
      ]),
    );
  });

  test('on fifty changes with one outlier takes two displays, and the outlier is denied alone', async () => {
    const { world, pauses, outlier } = await queueOf(49, 200);
    const first = await world.look(outlier);
    const group = nextIn(await decideOn(world, first, 'deny'));
    expect(membersIn(group).toSorted()).toEqual(pauses.toSorted());
    expect(group.review).toMatchObject({ from: 2, to: 50, total: 50, denied: 1 });
    const { next } = await decideOn(world, group, 'approve');
    expect(next).toMatchObject({ display: null, review: { approved: 49, denied: 1, waiting: 0 } });
    await eventually(() =>
      expect(world.core.confirmation.progress(keyOf(group)).decided).toMatchObject([
        { id: group.proposal.id, state: 'done' },
        { id: outlier, state: 'denied' },
      ]),
    );
    expect(world.puts()).toBe(49);
  });

  test('is kept after an emergency stop, and every waiting change needs a new decision', async () => {
    const { world, outlier } = await queueOf(1);
    const second = nextIn(await decideOn(world, await world.look(outlier), 'deny'));
    await world.core.handlers['emergencyStop.start']({});
    const now = world.core.confirmation.look(second);
    expect(now.review).toMatchObject({ denied: 1, decided: [{ id: outlier, state: 'denied' }] });
    expect(world.puts()).toBe(0);
  });

  test('is not possible on a change that expires on screen, and the review continues with the rest', async () => {
    const { world, pauses, outlier } = await queueOf(1);
    await world.core.handlers['proposals.setWaitingTime']({ minutes: 60 });
    const { proposal } = await proposeBid(world);
    const expiring = await world.look(proposal.id);
    // A page reads its display when its clock has reached the end. The core's timer may run later.
    world.clock.setForward(60 * 60_000);
    expect(world.core.confirmation.look(expiring)).toMatchObject({
      proposal: { state: 'expired' },
      review: { total: 3, hasNext: true },
    });
    expect(world.hidden).toContain(expiring.displayId);
    for (const decision of ['approve', 'deny'] as const)
      await expect(decideOn(world, expiring, decision)).rejects.toMatchObject({ code: 'proposal_expired' });
    world.clock.advance(rememberedMs);
    const rest = shownIn(await step(world, expiring, 'next'));
    expect([...pauses, outlier]).toContain(rest.proposal.id);
    expect(rest.review).toMatchObject({ total: 2, waiting: 2, approved: 0, denied: 0 });
    expect(world.puts()).toBe(0);
  });

  test('is not possible on a change that its proposer withdrew, and the review continues with the rest', async () => {
    const { world, pauses, outlier } = await queueOf(2);
    const { step: stepNow, look, progress } = world.core.confirmation;
    const first = await world.look(outlier);
    const group = nextIn(await decideOn(world, first, 'deny'));
    const second = shownIn(await step(world, group, 'singly'));
    await world.core.handlers['proposals.withdraw']({ id: second.proposal.id });
    await expect(decideOn(world, second, 'approve')).rejects.toMatchObject({ code: 'proposal_not_waiting' });
    expect(look(second)).toMatchObject({
      proposal: { state: 'withdrawn' },
      review: { from: 2, total: 3, denied: 1, hasNext: true, canPart: false },
    });
    // The person reads that for a while. The ended display is forgotten, and its place in the review is not.
    world.clock.advance(rememberedMs);
    expect(() => look(second)).toThrow(expect.objectContaining({ code: 'display_unknown' }));
    await expect(decideOn(world, second, 'approve')).rejects.toMatchObject({ code: 'display_unknown' });
    for (const to of ['together', 'singly'] as const)
      await expect(stepNow({ ...keyOf(second), to })).rejects.toMatchObject({ code: 'proposal_not_waiting' });
    const third = shownIn(await step(world, second, 'next'));
    expect(pauses).toContain(third.proposal.id);
    expect(third.review).toMatchObject({ from: 2, total: 2, denied: 1, hasNext: false });

    await world.core.handlers['proposals.withdraw']({ id: third.proposal.id });
    look(third);
    const ended = await stepNow({ ...keyOf(third), to: 'next' });
    expect(ended).toMatchObject({ display: null, review: { total: 1, denied: 1, waiting: 0 } });
    expect(progress(keyOf(third))).toMatchObject({ total: 1 });
    expect(world.puts()).toBe(0);
  });
});
