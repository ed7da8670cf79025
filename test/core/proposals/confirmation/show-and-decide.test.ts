import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '#shared/errors/index.ts';
import { armingDelayMs, type Decision, type Display } from '#shared/host-api/index.ts';
import { campaignNow, createWorld, proposeBid, type World } from '../world.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { usualWaitingMinutes } from '#shared/proposals/states.ts';
import { eventually } from '#test/setup/eventually.ts';

function approval(
  { displayId, nonce, fingerprint, proposal }: Display,
  change: Partial<Decision> = {},
): Decision {
  const typed = proposal.typeToConfirm?.value ?? null;
  return { displayId, nonce, fingerprint, decision: 'approve', reason: null, typed, ...change };
}

async function showBid(
  world: World,
  factor?: number,
): Promise<{ display: Display; cid: number; before: unknown }> {
  const { proposal, cid } = await proposeBid(world, factor);
  return { display: await world.look(proposal.id), cid, before: await campaignNow(world, cid) };
}

async function expectRefused(world: World, decision: Decision, code: ErrorCode): Promise<void> {
  await expect(world.core.confirmation.decide(decision)).rejects.toMatchObject({ code });
  expect(world.puts()).toBe(0);
}

describe('a decision that does not count changes nothing', () => {
  test('with another nonce, or that of another display', async () => {
    const world = await createWorld();
    const { display: first } = await showBid(world);
    const { display: second } = await showBid(world);
    for (const nonce of [`${first.nonce.slice(0, -1)}x`, '', second.nonce]) {
      await expectRefused(world, approval(first, { nonce }), 'display_unknown');
    }
    await expectRefused(world, approval(first, { fingerprint: second.fingerprint }), 'fingerprint_mismatch');
  });

  test('on a display that another one of the same proposal has replaced', async () => {
    const world = await createWorld();
    const { display: first } = await showBid(world);
    const second = await world.look(first.proposal.id);
    expect(world.hidden).toEqual([first.displayId]);
    await expectRefused(world, approval(first), 'display_unknown');
    expect((await world.approve(second)).proposal.state).toBe('verified');
  });

  test('before it was seen', async () => {
    const world = await createWorld();
    const { proposal } = await proposeBid(world);
    await world.core.handlers['proposals.review']({ id: proposal.id });
    world.clock.advance(60_000);
    await expectRefused(world, approval(world.shown[0]!), 'confirmation_too_early');
  });

  test('before the buttons have been armed since it was last seen, also when the clock was set forward', async () => {
    const world = await createWorld();
    const { display } = await showBid(world);
    world.core.confirmation.seen(display);
    world.clock.setForward(60_000);
    world.clock.advance(armingDelayMs - 1);
    await expectRefused(world, approval(display), 'confirmation_too_early');
    world.clock.advance(1);
    expect((await world.approve(display)).proposal.state).toBe('verified');
  });

  test('without the value that was asked for, or with another', async () => {
    const world = await createWorld();
    const { display } = await showBid(world, 10);
    const asked = display.proposal.typeToConfirm;
    expect(asked).not.toBeNull();
    const value = asked?.value ?? '';
    const inOtherDigits = value.replaceAll(/\d/g, (digit) => '０１２３４５６７８９'[Number(digit)] ?? '');
    for (const typed of [null, '', `${value}0`, ` ${value}`, value.slice(0, -1), inOtherDigits]) {
      await expectRefused(world, approval(display, { typed }), 'typed_value_wrong');
    }
    expect((await world.approve(display)).proposal.state).toBe('verified');
  });

  test('after its time', async () => {
    const world = await createWorld();
    const { display, cid, before } = await showBid(world);
    world.clock.advance(usualWaitingMinutes * 60_000);
    await expectRefused(world, approval(display), 'proposal_expired');
    expect(world.hidden).toEqual([display.displayId]);
    const { state, outcome } = await world.core.handlers['proposals.get']({ id: display.proposal.id });
    expect({ state, code: outcome?.code }).toEqual({ state: 'expired', code: 'proposal_expired' });
    expect(await campaignNow(world, cid)).toEqual(before);
  });

  test('after it was withdrawn', async () => {
    const world = await createWorld();
    const { display } = await showBid(world);
    await world.core.handlers['proposals.withdraw']({ id: display.proposal.id });
    expect(world.hidden).toEqual([display.displayId]);
    await expectRefused(world, approval(display), 'proposal_not_waiting');
  });

  test('after a restart, although the proposal still waits and can be shown again', async () => {
    const world = await createWorld();
    const { display } = await showBid(world);
    const restarted = await world.restart();
    await expectRefused(restarted, approval(display), 'display_unknown');
    const again = await restarted.look(display.proposal.id);
    expect(again.fingerprint).toBe(display.fingerprint);
    expect((await restarted.approve(again)).proposal.state).toBe('verified');
  });

  test('when the campaign was locked meanwhile by an unknown outcome', async () => {
    const world = await createWorld();
    const { display, cid } = await showBid(world);
    const { id } = await world.core.handlers['campaigns.proposeStatus']({ cids: [cid], status: 3 });
    const second = await world.look(id);
    world.service.faults.arm({ kind: 'answer', status: 500, method: 'PUT' });
    expect((await world.approve(second)).proposal.state).toBe('unknown');
    await expect(world.core.confirmation.decide(approval(display))).rejects.toMatchObject({
      code: 'campaign_locked',
      message: `An earlier change to campaign ${cid} has an unknown outcome.`,
    });
  });
});

describe('the ledger says that a change was shown', () => {
  async function recorded(world: World, proposalId: string): Promise<string[]> {
    const page = { beforeSeq: null, limit: 9, filter: { ...everyRow, proposalId } };
    const { items } = await world.core.handlers['ledger.list'](page);
    return items.map(({ kind, via }) => `${kind} ${via}`).toReversed();
  }

  test('once the page was drawn, and not when an address was only made', async () => {
    const world = await createWorld();
    const { proposal } = await proposeBid(world);
    await world.core.handlers['proposals.review']({ id: proposal.id });
    expect(await recorded(world, proposal.id)).toEqual(['proposal.proposed null']);
    const [display] = world.shown;
    world.core.confirmation.look(display!);
    world.core.confirmation.look(display!);
    world.core.confirmation.seen(display!);
    expect(await recorded(world, proposal.id)).toEqual(['proposal.proposed null', 'proposal.shown terminal']);
  });

  test('and not when the host could not show it', async () => {
    const show = (): Promise<never> => Promise.reject(new Error('No window'));
    const world = await createWorld({ confirmer: { via: 'browser', show, hide() {} } });
    const { proposal } = await proposeBid(world);
    await expect(world.core.handlers['proposals.review']({ id: proposal.id })).rejects.toThrow('No window');
    expect(await recorded(world, proposal.id)).toEqual(['proposal.proposed null']);
  });

  test('also where the person denied at once', async () => {
    const world = await createWorld();
    const { proposal } = await proposeBid(world);
    await world.core.handlers['proposals.review']({ id: proposal.id });
    await world.deny(world.shown[0]!);
    expect(await recorded(world, proposal.id)).toEqual([
      'proposal.proposed null',
      'proposal.shown terminal',
      'proposal.denied terminal',
    ]);
  });
});

test('while a change is being sent, another one to its campaign is refused and names it', async () => {
  const world = await createWorld();
  const { display, cid } = await showBid(world);
  const pause = { cids: [cid], status: 3 };
  const propose = (): Promise<unknown> =>
    Promise.resolve(world.core.handlers['campaigns.proposeStatus'](pause)).catch(
      (failure: unknown) => failure,
    );
  let refused: unknown;
  const run = async (): Promise<void> => {
    refused = await propose();
  };
  world.service.faults.arm({ kind: 'meanwhile', method: 'PUT', run });
  expect((await world.approve(display)).proposal.state).toBe('verified');
  const message = `Another change to campaign ${cid} is being sent.`;
  expect(refused).toMatchObject({ code: 'campaign_locked', message });
});

describe('a decision counts once', () => {
  test('of two approvals of the same display at the same moment, one writes', async () => {
    const world = await createWorld();
    const { display } = await showBid(world);
    const results = await Promise.allSettled([1, 2, 3].map(() => world.approve(display)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(world.puts()).toBe(1);
  });

  test('an approval is not accepted again after the write', async () => {
    const world = await createWorld();
    const { display } = await showBid(world);
    await world.approve(display);
    await expect(world.approve(display)).rejects.toMatchObject({ code: 'display_unknown' });
    await expect(world.core.handlers['proposals.review']({ id: display.proposal.id })).rejects.toMatchObject({
      code: 'proposal_not_waiting',
    });
    expect(world.puts()).toBe(1);
  });

  test('a denial is final, keeps its reason, and sends nothing', async () => {
    const world = await createWorld();
    const { display, cid, before } = await showBid(world);
    const { proposal, again } = await world.deny(display, 'Too much');
    expect(again).toBeNull();
    expect(proposal).toMatchObject({ state: 'denied', reason: 'Too much' });
    await expectRefused(world, approval(display), 'display_unknown');
    expect(await campaignNow(world, cid)).toEqual(before);
  });
});

test('what is shown is the very text that will be sent, and it can be looked at again', async () => {
  const world = await createWorld();
  const { display, cid } = await showBid(world);
  expect(JSON.parse(display.proposal.payload)).toMatchObject({ cid });
  const { state, ...asked } = display.proposal;
  expect(state).toBe('proposed');
  expect(world.core.confirmation.look(display)).toMatchObject({
    ...display,
    proposal: { ...asked, state: 'shown', updatedAtMs: world.clock.nowMs() - armingDelayMs },
  });
  expect(() => world.core.confirmation.look({ ...display, nonce: 'x' })).toThrow(
    expect.objectContaining({ code: 'display_unknown' }),
  );
  expect(() => world.core.confirmation.seen({ ...display, displayId: 'x' })).toThrow(
    expect.objectContaining({ code: 'display_unknown' }),
  );
});

test('a window that fails late does not take away the one that was opened in its place', async () => {
  const shown: Display[] = [];
  let failFirst = (): void => {};
  const world = await createWorld({
    confirmer: {
      via: 'terminal',
      async show(display) {
        shown.push(display);
        if (shown.length === 1) {
          await new Promise((_, reject) => (failFirst = () => reject(new Error('No window'))));
        }
        return { address: null };
      },
      hide() {},
    },
  });
  const { proposal } = await proposeBid(world);
  const first = world.core.handlers['proposals.review']({ id: proposal.id });
  await eventually(() => expect(shown).toHaveLength(1));
  await world.core.handlers['proposals.review']({ id: proposal.id });
  failFirst();
  await expect(first).rejects.toThrow('No window');
  expect(world.core.confirmation.look(shown[1]!).proposal.id).toBe(proposal.id);
});

test('a host that cannot show leaves the proposal waiting, and one that cannot hide does not lose a write', async () => {
  let broken = true;
  const shown: Display[] = [];
  const world = await createWorld({
    confirmer: {
      via: 'terminal',
      async show(display) {
        if (broken) throw new Error('No window');
        shown.push(display);
        return { address: null };
      },
      hide() {
        throw new Error('No window');
      },
    },
  });
  const { proposal } = await proposeBid(world);
  await expect(world.core.handlers['proposals.review']({ id: proposal.id })).rejects.toThrow('No window');
  broken = false;
  await world.core.handlers['proposals.review']({ id: proposal.id });
  const [display] = shown;
  if (display === undefined) throw new Error('Nothing was shown');
  world.core.confirmation.seen(display);
  world.clock.advance(armingDelayMs);
  expect((await world.approve(display)).proposal.state).toBe('verified');
});
