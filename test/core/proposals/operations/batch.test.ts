import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { everyRow, type AppOutput, type ProposalView } from '#shared/app-api/index.ts';
import { armingDelayMs, type Display } from '#shared/host-api/index.ts';
import { defaultWaitingMinutes } from '#shared/proposals/states.ts';
import { changeFile } from '#test/servers/stored-rows.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { campaignNow, changeElsewhere, createWorld, kindsOf, type World } from '../world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { eventually } from '#test/setup/eventually.ts';

type Summary = AppOutput<'proposals.list'>['items'][number];
type Batch = Extract<ProposalView['detail'], { kind: 'batch' }>;

async function waiting(world: World): Promise<Summary[]> {
  return (await world.core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 200 })).items;
}

function get(world: World, id: string): Promise<ProposalView> {
  return world.core.handlers['proposals.get']({ id });
}

async function running(world: World, count: number, ...statuses: number[]): Promise<{ cid: number }[]> {
  const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
  const wanted = statuses.length === 0 ? [1] : statuses;
  const found = data.filter(({ status, payout }) => wanted.includes(status) && payout < 1).slice(0, count);
  expect(found).toHaveLength(count);
  return found;
}

/** Makes the bids exact multiples, so that one factor explains all of them. */
async function proposeBids(
  world: World,
  campaigns: readonly { cid: number }[],
  factor: number,
): Promise<ProposalView[]> {
  const made: ProposalView[] = [];
  for (const { cid } of campaigns) {
    const from = Number((await campaignNow(world, cid))['payout']);
    const to = Number((from * factor).toFixed(6));
    made.push(
      await proposeUpdate(world.core.handlers, {
        cid,
        changes: [{ field: 'payout', from, to }],
      }),
    );
  }
  return made;
}

/** Proposes to pause single campaigns. These changes are equal, cheap and never dangerous. */
async function proposePauses(world: World, cids: readonly number[]): Promise<ProposalView[]> {
  return Promise.all(
    cids.map((cid) => world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 })),
  );
}

async function lookTogether(world: World, members: readonly ProposalView[]): Promise<Display> {
  await world.core.handlers['proposals.reviewTogether']({ ids: members.map(({ id }) => id) });
  const display = world.shown.at(-1);
  if (display === undefined) throw new Error('Nothing was shown');
  world.core.confirmation.seen(display);
  world.clock.advance(armingDelayMs);
  return display;
}

function batchOf(proposal: ProposalView): Batch {
  if (proposal.detail.kind !== 'batch') throw new Error('Not a batch');
  return proposal.detail;
}

const states = (proposal: ProposalView): string[] => batchOf(proposal).members.map(({ state }) => state);

async function pauses(world: World, count: number): Promise<ProposalView[]> {
  return proposePauses(
    world,
    (await running(world, count)).map(({ cid }) => cid),
  );
}

test('in a large batch the outlier cannot join, a later proposal stays outside, and each member has its own result', async () => {
  const world = await createWorld({ campaigns: 60 });
  const campaigns = await running(world, 23, 1, 3, 4);
  const bids = await proposeBids(world, campaigns.slice(0, 21), 0.9);
  const [outlier] = await proposeBids(world, campaigns.slice(21, 22), 3);
  const together = [...bids, outlier!].map(({ id }) => id);
  await expect(world.core.handlers['proposals.reviewTogether']({ ids: together })).rejects.toMatchObject({
    code: 'batch_unequal',
  });

  const display = await lookTogether(world, bids);
  const { proposal } = display;
  expect(proposal.title).toBe('Lower bids by 10%: 21 changes');
  expect(batchOf(proposal).members.map(({ fingerprint }) => fingerprint)).toEqual(
    bids.map(({ fingerprint }) => fingerprint),
  );
  expect(proposal.typeToConfirm?.value).toBe('21');
  const [late] = await proposeBids(world, campaigns.slice(22), 0.9);
  // A second client changes one of the campaigns.
  await changeElsewhere(world, campaigns[3]!.cid, { name: 'Renamed elsewhere' });
  world.service.faults.arm({ kind: 'answer', status: 409, method: 'PUT' });

  const writes = world.puts();
  const { proposal: done, again } = await world.approve(display);
  expect(again).toBeNull();
  expect(done).toMatchObject({
    state: 'done',
    outcome: {
      code: 'batch_done',
      message: '19 stored, 1 not stored, 1 out of date. What is out of date is asked again alone.',
    },
  });
  expect(states(done)[3]).toBe('stale');
  expect(world.puts() - writes).toBe(20);
  expect(await get(world, late!.id)).toMatchObject({ state: 'proposed' });
  expect(await get(world, outlier!.id)).toMatchObject({ state: 'proposed' });

  const { replacedBy } = await get(world, bids[3]!.id);
  expect((await waiting(world)).map(({ id }) => id).toSorted()).toEqual(
    [late!.id, outlier!.id, replacedBy!].toSorted(),
  );
});

describe('a batch', () => {
  test('shows every member and the exact sum of their money, locks nothing, and counts once', async () => {
    const world = await createWorld({ campaigns: 60 });
    const members = await pauses(world, 3);
    const [first, second, third] = members as [ProposalView, ProposalView, ProposalView];
    expect([first.queue, third.queue?.count]).toEqual([null, 3]);
    const { proposal } = await lookTogether(world, [first, second]);
    const sumOf = (of: ProposalView[]): string =>
      of.reduce((micros, { risk }) => micros + BigInt(risk.perDay.before.micros), 0n).toString();
    expect(proposal.risk.perDay.before.micros).toBe(sumOf([first, second]));
    expect(proposal.queue).toMatchObject({ count: 3, perDay: { before: { micros: sumOf(members) } } });
    expect(batchOf(proposal).members.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(batchOf(proposal).askedBy).toEqual([{ kind: 'person', name: 'You' }]);
    const { lockedBy, waiting: forIt } = await world.core.handlers['campaigns.get']({
      cid: first.targets[0]!.cid,
    });
    expect({ lockedBy, forIt }).toEqual({ lockedBy: null, forIt: [first.id] });

    await world.core.handlers['proposals.withdraw']({ id: third.id });
    expect((await get(world, proposal.id)).queue).toBeNull();
    expect((await waiting(world)).map(({ id }) => id)).toEqual([proposal.id]);
    expect(await world.core.handlers['session.status']({})).toMatchObject({ waiting: 1 });
    await world.core.handlers['proposals.withdraw']({ id: proposal.id });
    expect((await waiting(world)).map(({ state }) => state)).toEqual(['shown', 'shown']);
  });

  test('lists members that left it, and leaves them out of its money, warnings and value to type', async () => {
    const world = await createWorld({ campaigns: 60 });
    const [x, y] = await running(world, 2);
    const members: ProposalView[] = [];
    for (const [{ cid }, from] of [
      [x!, 300],
      [y!, 25],
    ] as const) {
      await changeElsewhere(world, cid, { enable_budget: 1, d_revenue: from, t_revenue: 0, enable_time: 0 });
      const changes = [{ field: 'd_revenue', from, to: 38 }];
      members.push(await proposeUpdate(world.core.handlers, { cid, changes }));
    }
    const { proposal } = await lookTogether(world, members);
    expect(proposal.title).toMatch(/: 2 changes$/u);
    expect(proposal.risk.perDay).toMatchObject({ before: { text: '$325.00' }, after: { text: '$76.00' } });
    await world.core.handlers['proposals.withdraw']({ id: members[0]!.id });
    const left = await get(world, proposal.id);
    expect(left.title).toMatch(/: 1 change$/u);
    expect(left.risk.perDay).toMatchObject({ before: { text: '$25.00' }, after: { text: '$38.00' } });
    expect(left.targets.map(({ cid }) => cid)).toEqual([y!.cid]);
    expect(left.typeToConfirm).toMatchObject({ value: '1' });
    expect(left.detail).toMatchObject({ members: [{ state: 'withdrawn' }, { state: 'shown' }] });
    const display = await world.look(proposal.id);
    expect((await world.approve(display, '1')).proposal.outcome?.message).toBe('1 stored, 1 withdrawn.');
    expect((await get(world, proposal.id)).title).toMatch(/: 2 changes$/u);
  });
});

test('is made of bids that one rounded percentage explains, and states the percentage', async () => {
  const world = await createWorld({ campaigns: 60 });
  const [x, y] = await running(world, 2);
  const members: ProposalView[] = [];
  for (const [{ cid }, from, to] of [
    [x!, 0.45, 0.495],
    [y!, 0.125, 0.138],
  ] as const) {
    await changeElsewhere(world, cid, { payout: from });
    const changes = [{ field: 'payout', from, to }];
    members.push(await proposeUpdate(world.core.handlers, { cid, changes }));
  }
  const listed = await waiting(world);
  expect(new Set(listed.map(({ groupTitle }) => groupTitle))).toEqual(
    new Set(['Raise bids by 10%, rounded to 3 decimals']),
  );
  expect(new Set(listed.map(({ groupKey }) => groupKey)).size).toBe(1);
  const { proposal } = await lookTogether(world, members);
  expect(proposal.title).toBe('Raise bids by 10%, rounded to 3 decimals: 2 changes');
  expect((await waiting(world)).map(({ groupKey }) => groupKey)).toEqual([listed[0]!.groupKey]);
});

test('of a person’s own changes to the same new host asks to type the host once', async () => {
  const world = await createWorld({ campaigns: 60 });
  const members: ProposalView[] = [];
  for (const { cid } of await running(world, 3)) {
    const from = `https://track.example/c?cid=${cid}`;
    await changeElsewhere(world, cid, { clickurl: from });
    const changes = [{ field: 'clickurl', from, to: from.replace('track', 'click') }];
    members.push(await proposeUpdate(world.core.handlers, { cid, changes }));
  }
  for (const { typeToConfirm } of members) expect(typeToConfirm?.value).toBe('click.example');
  const { proposal } = await lookTogether(world, members);
  expect(proposal.title).toMatch(
    /^Change the host of the .* from “track\.example” to “click\.example”: 3 changes$/,
  );
  expect(proposal.typeToConfirm).toEqual({ label: 'Type click.example to confirm', value: 'click.example' });
});

test('lists each equal waiting change once, and none that belongs to another batch', async () => {
  const world = await createWorld({ campaigns: 60 });
  const [x, y, z, other] = await running(world, 4);
  const members = await proposePauses(world, [x!.cid, y!.cid, z!.cid]);
  const [a, b, c] = members.map(({ id }) => id) as [string, string, string];
  const [bid] = await proposeBids(world, [other!], 0.9);
  await world.core.handlers['proposals.withdraw']({ id: c });
  const refused = async (ids: string[], message: RegExp): Promise<void> => {
    await expect(world.core.handlers['proposals.reviewTogether']({ ids })).rejects.toMatchObject({
      code: 'batch_unequal',
      message: expect.stringMatching(message) as string,
    });
  };
  await refused([a, a], /named twice/);
  await refused([a, bid!.id], /another change/);
  await refused([a, c], /no longer awaiting approval/);
  const batch = await world.core.handlers['proposals.reviewTogether']({ ids: [a, b] });
  await refused([a, b], /another open batch/);
  await refused([a, batch.id], /another open batch|decided alone/);
});

describe('a decision on a batch', () => {
  test('denies every member with the given reason, and sends nothing', async () => {
    const world = await createWorld({ campaigns: 60 });
    const members = await pauses(world, 3);
    const { proposal } = await world.deny(await lookTogether(world, members), 'Not today');
    expect(proposal).toMatchObject({ state: 'denied', reason: 'Not today' });
    for (const { id } of members) {
      expect(await get(world, id)).toMatchObject({ state: 'denied', reason: 'Not today' });
    }
    expect(world.puts()).toBe(0);
  });

  test('closes the displays of its members, and the ledger names the batch with each member', async () => {
    const world = await createWorld({ campaigns: 60 });
    const members = await pauses(world, 2);
    const alone = await world.look(members[0]!.id);
    const display = await lookTogether(world, members);
    const { proposal } = await world.approve(display);
    expect(proposal).toMatchObject({ state: 'done', outcome: { message: '2 stored.' } });
    await expect(world.approve(alone)).rejects.toMatchObject({ code: 'display_unknown' });
    await expect(world.approve(display)).rejects.toMatchObject({ code: 'display_unknown' });
    expect(world.hidden).toContain(alone.displayId);
    expect(await kindsOf(world, members[1]!.id)).toEqual([
      'proposal.proposed',
      'proposal.shown',
      'proposal.approved',
      'write.intent',
      'write.sent',
      'write.verified',
    ]);
    const { items } = await world.core.handlers['ledger.list']({
      beforeSeq: null,
      limit: 200,
      filter: { ...everyRow, proposalId: members[1]!.id },
    });
    const approved = items.find(({ kind }) => kind === 'proposal.approved');
    expect(JSON.stringify(approved)).toContain(proposal.id);
    expect(world.puts()).toBe(2);
  });

  test('leaves out members that were decided alone or whose campaign is locked by another write', async () => {
    const world = await createWorld({ campaigns: 60 });
    const members = await pauses(world, 4);
    const [first, second, third] = members as [ProposalView, ProposalView, ProposalView];
    const display = await lookTogether(world, members);
    await world.core.handlers['proposals.withdraw']({ id: first.id });
    await world.deny(await world.look(second.id));
    // A second change of the third member's campaign is sent and never answered.
    const { cid } = third.targets[0]!;
    const [bid] = await proposeBids(world, [{ cid }], 0.8);
    const other = await world.look(bid!.id);
    world.service.faults.arm({ kind: 'answer', status: 500, method: 'PUT' });
    expect((await world.approve(other)).proposal.state).toBe('unknown');

    const { proposal } = await world.approve(display);
    expect(states(proposal)).toEqual(['withdrawn', 'denied', 'shown', 'verified']);
    expect(proposal.outcome?.message).toBe('1 stored, 1 denied, 1 withdrawn, 1 still waiting.');
  });

  test('is no longer needed once all members were decided alone', async () => {
    const world = await createWorld({ campaigns: 60 });
    const members = await pauses(world, 2);
    const display = await lookTogether(world, members);
    for (const { id } of members) await world.core.handlers['proposals.withdraw']({ id });
    await eventually(async () => expect(await waiting(world)).toEqual([]));
    expect(await get(world, display.proposal.id)).toMatchObject({
      state: 'withdrawn',
      outcome: { code: 'batch_over' },
    });
    expect(world.hidden).toContain(display.displayId);
  });

  test('is refused once the batch has expired with its members', async () => {
    const world = await createWorld({ campaigns: 60 });
    const members = await pauses(world, 2);
    const display = await lookTogether(world, members);
    world.clock.advance(defaultWaitingMinutes * 60_000);
    await expect(world.approve(display)).rejects.toMatchObject({ code: 'proposal_expired' });
    expect(world.puts()).toBe(0);
    expect(await waiting(world)).toEqual([]);
  });

  test('can be followed for each member while the batch is sent', async () => {
    const world = await createWorld({ campaigns: 60 });
    const members = await pauses(world, 3);
    const display = await lookTogether(world, members);
    const seen: string[][] = [];
    world.service.faults.arm({
      kind: 'meanwhile',
      method: 'PUT',
      run: () => void seen.push(states(world.core.confirmation.look(display).proposal)),
    });
    expect((await world.approve(display)).proposal.state).toBe('done');
    expect(seen).toEqual([['intent', 'approved', 'approved']]);
  });
});

describe('when the program ends in the middle of a batch,', () => {
  test('members that were not started are withdrawn, stored members are not sent again, and the batch reports both', async () => {
    const world = await createWorld({ campaigns: 60 });
    const members = await pauses(world, 3);
    const display = await lookTogether(world, members);
    let restarting: Promise<World> | null = null;
    world.service.faults.arm({
      kind: 'meanwhile',
      method: 'PUT',
      run: () => void (restarting = world.restart()),
    });
    await world.approve(display);
    const next = await restarting!;
    const batch = await get(next, display.proposal.id);
    expect(states(batch)).toEqual(['verified', 'withdrawn', 'withdrawn']);
    expect(batch).toMatchObject({ state: 'done', outcome: { message: '1 stored, 2 withdrawn.' } });
    expect(next.puts()).toBe(0);
  });

  test('by a crash, nothing is sent twice: started members are read and the others are withdrawn', async () => {
    const world = await createWorld({ campaigns: 60 });
    const members = await pauses(world, 3);
    const display = await lookTogether(world, members);
    const asItWas = tempFolder();
    let puts = 0;
    const crash = (): void => {
      puts += 1;
      if (puts === 2) cpSync(world.folder, asItWas, { recursive: true });
    };
    world.service.faults.arm({ kind: 'meanwhile', method: 'PUT', run: crash });
    world.service.faults.arm({ kind: 'meanwhile', method: 'PUT', run: crash });
    await world.approve(display);
    await world.core.dispose();

    const { clock, dataKey } = world;
    const next = await createWorld({ folder: asItWas, clock, dataKey });
    const { id } = display.proposal;
    // The second write arrived, but its answer did not. A read finds the new value.
    await eventually(async () => {
      const settled = await next.core.handlers['proposals.settle']({ id });
      expect(settled).toMatchObject({ state: 'done', outcome: { message: '2 stored, 1 withdrawn.' } });
    });
    expect(states(await get(next, id))).toEqual(['verified', 'verified', 'withdrawn']);
    expect(next.puts()).toBe(0);
  });

  test('an unknown outcome keeps the batch open until a read settles it', async () => {
    const world = await createWorld({ campaigns: 60, requestMs: 10_000 });
    const members = await pauses(world, 2);
    const display = await lookTogether(world, members);
    world.service.faults.arm({ kind: 'answer', status: 500, method: 'PUT' });
    const { proposal } = await world.approve(display);
    expect(proposal).toMatchObject({
      state: 'unknown',
      outcome: { code: 'batch_unsettled', message: '1 stored, 1 unknown.' },
    });
    world.clock.advance(20_000);
    // A read that began before that time proves nothing.
    await eventually(async () => {
      const settled = await world.core.handlers['proposals.settle']({ id: proposal.id });
      expect(settled).toMatchObject({ state: 'done', outcome: { message: '1 stored, 1 not stored.' } });
    });
    expect(world.puts()).toBe(2);
  });
});

describe('an approval covers exactly what was listed', () => {
  test('and the fingerprint of a member cannot approve a batch, nor that of a batch a member', async () => {
    const world = await createWorld({ campaigns: 60 });
    const members = await pauses(world, 2);
    const alone = await world.look(members[0]!.id);
    const display = await lookTogether(world, members);
    const mismatch = { code: 'fingerprint_mismatch' };
    await expect(world.approve({ ...display, fingerprint: alone.fingerprint })).rejects.toMatchObject(
      mismatch,
    );
    await expect(world.approve({ ...alone, fingerprint: display.fingerprint })).rejects.toMatchObject(
      mismatch,
    );
    expect(world.puts()).toBe(0);
  });

  test.each([
    [
      'a member',
      // Stores the other member's details for this member. Details are compressed.
      `UPDATE proposal SET details = (SELECT other.details FROM proposal AS other
         WHERE other.operation = proposal.operation AND other.id <> proposal.id) WHERE id = ?`,
      0,
    ],
    [
      'the list of members',
      `UPDATE proposal SET payload = replace(payload, 'Pause', 'Paused') WHERE id = ?`,
      1,
    ],
  ])('and nothing is sent when %s was changed on disk', async (_what, sql, which) => {
    const world = await createWorld({ campaigns: 60 });
    const members = await pauses(world, 2);
    const display = await lookTogether(world, members);
    const id = [members[0]!.id, display.proposal.id][which];
    changeFile(join(world.folder, 'countersign.sqlite'), (db) => void db.prepare(sql).run(id));
    await expect(world.approve(display)).rejects.toMatchObject({ code: 'fingerprint_mismatch' });
    expect(world.puts()).toBe(0);
  });
});
