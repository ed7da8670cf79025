import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packText, unpackText } from '#core/store/app/packed-text.ts';
import { armingDelayMs } from '#shared/host-api/index.ts';
import { campaignNow, changeElsewhere, createWorld, findCampaign, proposeBid, type World } from '../world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';
import { changeFile } from '#test/servers/stored-rows.ts';
import { leaveProposal } from '#test/servers/stores.ts';
import { eventually } from '#test/setup/eventually.ts';
import { runs } from '#test/setup/property-runs.ts';

/** Changes the app's database without the core, as another program of the same user could. */
function tamper({ folder }: World, sql: string, ...values: unknown[]): void {
  changeFile(join(folder, 'countersign.sqlite'), (db) => {
    db.function('with_other', withOther);
    db.prepare(sql).run(...values);
  });
}

/** SQL for a proposal's details whose compressed payload (part 0) or base (part 1) has `from` replaced by `to`. */
function withOther(details: unknown, part: unknown, from: unknown, to: unknown): Buffer {
  const texts = JSON.parse(unpackText(details as Buffer)) as string[];
  const other = texts.with(Number(part), (texts[Number(part)] ?? '').replaceAll(String(from), String(to)));
  expect(other).not.toEqual(texts);
  return packText(JSON.stringify(other));
}

describe('a stored proposal that differs from the one that was shown is never sent', () => {
  const otherDetails = (part: 0 | 1, to: string): string =>
    `UPDATE proposal SET details = with_other(details, ${part}, '"status":1', '"status":${to}') WHERE id = ?`;
  const otherOrigin = (path: string, to: string): string =>
    `UPDATE proposal SET origin = json_set(origin, '$.${path}', ${to}) WHERE id = ?`;

  test('if any part of it was changed in the database', async () => {
    const world = await createWorld({ campaigns: 60 });
    const { data } = await world.other.list({ page: 1, perPage: 200, sort: 'cid', order: 'asc' });
    const cids = data.filter(({ status, payout }) => status === 1 && payout < 0.9).map(({ cid }) => cid);
    const parts = {
      payload: otherDetails(0, '2'),
      spelling: otherDetails(0, '1.0'),
      base: otherDetails(1, '2'),
      nonce: `UPDATE proposal SET nonce = nonce || 'x' WHERE id = ?`,
      expiry: 'UPDATE proposal SET expires_at_ms = expires_at_ms + 1 WHERE id = ?',
      target: otherOrigin('targets[0]', '1'),
      profile: `UPDATE proposal SET profile_id = 'live' WHERE id = ?`,
      account: otherOrigin('profile.account', `'1'`),
      proposer: otherOrigin('proposedBy.name', `'Someone'`),
      operation: `UPDATE proposal SET operation = 'campaign.status' WHERE id = ?`,
    };
    for (const [part, sql] of Object.entries(parts)) {
      const { proposal } = await proposeBid(world, 1.1, cids.shift());
      const display = await world.look(proposal.id);
      tamper(world, sql, proposal.id);
      await expect(world.approve(display), part).rejects.toMatchObject({ code: 'fingerprint_mismatch' });
    }
    expect(world.puts()).toBe(0);
    // The stored fingerprint is not checked. Only the displayed fingerprint counts.
    const { proposal } = await proposeBid(world, 1.1, cids.shift());
    const display = await world.look(proposal.id);
    tamper(
      world,
      `UPDATE proposal SET fingerprint = replace(fingerprint, 'a', 'b') WHERE id = ?`,
      proposal.id,
    );
    expect((await world.approve(display)).proposal.state).toBe('verified');
  });

  test('if its list of fields that are not compared was changed', async () => {
    const world = await createWorld();
    const { proposal, cid } = await proposeBid(world);
    const first = await world.look(proposal.id);
    await changeElsewhere(world, cid, { name: 'One' });
    const { again } = await world.approve(first);
    if (again === null) throw new Error('Nothing asks again');
    world.core.confirmation.seen(again);
    world.clock.advance(armingDelayMs);
    tamper(world, otherOrigin('rebase.volatile[0]', `'name'`), again.proposal.id);
    await changeElsewhere(world, cid, { name: 'Two' });
    await expect(world.approve(again)).rejects.toMatchObject({ code: 'fingerprint_mismatch' });
    expect(await campaignNow(world, cid)).toMatchObject({ name: 'Two' });
  });

  test('if it was changed between approval and sending', async () => {
    const world = await createWorld();
    const { proposal } = await proposeBid(world);
    const display = await world.look(proposal.id);
    const swap = (): void => tamper(world, otherDetails(0, '2'), proposal.id);
    world.service.faults.arm({ kind: 'meanwhile', method: 'GET', path: '/login/campaigns', run: swap });
    const { proposal: stopped } = await world.approve(display);
    expect(stopped).toMatchObject({ state: 'withdrawn', outcome: { code: 'fingerprint_mismatch' } });
    expect(world.puts()).toBe(0);
  });

  test('and the confirmation does not show it', async () => {
    const world = await createWorld();
    const { proposal } = await proposeBid(world);
    tamper(world, otherDetails(0, '2'), proposal.id);
    await expect(world.core.handlers['proposals.review']({ id: proposal.id })).rejects.toMatchObject({
      code: 'fingerprint_mismatch',
    });
    expect(world.shown).toEqual([]);
  });
});

describe('after a crash', () => {
  test.each([
    ['approved', 'withdrawn', 'stopped_before_sending'],
    ['intent', 'refused', 'write_not_stored'],
    ['sent', 'differs', 'stored_differently'],
  ] as const)('a proposal left in the state %s ends as %s', async (left, end, code) => {
    const world = await createWorld({ requestMs: 10_000 });
    const { proposal, cid } = await proposeBid(world);
    const before = await campaignNow(world, cid);
    await world.core.dispose();
    leaveProposal(world.folder, proposal.id, {
      state: left,
      intentAtMs: left === 'approved' ? null : world.clock.nowMs(),
    });
    const restarted = await world.restart();
    if (left === 'intent') {
      const locked = await restarted.core.handlers['campaigns.get']({ cid });
      expect(locked.lockedBy).toBe(proposal.id);
    }
    restarted.clock.advance(20_000);
    await eventually(async () => {
      const { state } = await restarted.core.handlers['proposals.settle']({ id: proposal.id });
      expect(state).toBe(end);
    });
    const found = await restarted.core.handlers['proposals.get']({ id: proposal.id });
    expect({ state: found.state, code: found.outcome?.code }).toEqual({ state: end, code });
    expect(await campaignNow(restarted, cid)).toEqual(before);
    expect(restarted.puts()).toBe(0);
  });
});

test.each(['UTC', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Pacific/Niue'])(
  'reading a campaign, changing one field and writing it leaves every other field unchanged in the time zone %s',
  async (zone) => {
    const before = process.env['TZ'];
    process.env['TZ'] = zone;
    try {
      const world = await createWorld({ campaigns: 60 });
      const { cid } = await findCampaign(world, ({ status, name }) => status === 1 && name !== '');
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('name', 'keywords_blocklist', 'payout', 'd_revenue'),
          fc.stringMatching(/^[ -~äß🚀\u202E]{1,40}$/u),
          fc.integer({ min: 1, max: 9 }),
          async (field, text, step) => {
            const campaign = await campaignNow(world, cid);
            const from = campaign[field];
            const to =
              typeof from === 'number'
                ? Number((from + (field === 'payout' ? step / 1000 : step)).toFixed(3))
                : `x${text.trim()}`;
            fc.pre(to !== from && (typeof from === 'string' || typeof from === 'number'));
            const proposal = await proposeUpdate(world.core.handlers, {
              cid,
              changes: [{ field, from, to }],
            });
            const { proposal: done } = await world.approve(await world.look(proposal.id));
            expect(done.state).toBe('verified');
            expect(await campaignNow(world, cid)).toEqual({ ...campaign, [field]: to });
          },
        ),
        runs(6),
      );
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  },
);
