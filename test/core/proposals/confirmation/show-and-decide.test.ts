import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '#shared/errors/index.ts';
import { armingDelayMs, type Decision, type Display } from '#shared/host-api/index.ts';
import { campaignNow, createWorld, proposeBid, type World } from '../world.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { defaultWaitingMinutes } from '#shared/proposals/states.ts';
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

describe('an approval is refused and changes nothing', () => {
  test('with a wrong nonce, or with the nonce of another display', async () => {
    const world = await createWorld();
    const { display: first } = await showBid(world);
    const { display: second } = await showBid(world);
    for (const nonce of [`${first.nonce.slice(0, -1)}x`, '', second.nonce]) {
      await expectRefused(world, approval(first, { nonce }), 'display_unknown');
    }
    await expectRefused(world, approval(first, { fingerprint: second.fingerprint }), 'fingerprint_mismatch');
  });

  test('on a display that a newer display of its proposal has replaced', async () => {
    const world = await createWorld();
    const { display: first } = await showBid(world);
    const second = await world.look(first.proposal.id);
    expect(world.hidden).toEqual([first.displayId]);
    await expectRefused(world, approval(first), 'display_unknown');
    expect((await world.approve(second)).proposal.state).toBe('verified');
  });

  test('before the proposal was displayed', async () => {
    const world = await createWorld();
    const { proposal } = await proposeBid(world);
    await world.core.handlers['proposals.review']({ id: proposal.id });
    world.clock.advance(60_000);
    await expectRefused(world, approval(world.shown[0]!), 'confirmation_too_early');
  });

  test('before the buttons have been armed since the last display, even if the clock was set forward', async () => {
    const world = await createWorld();
    const { display } = await showBid(world);
    world.core.confirmation.seen(display);
    world.clock.setForward(60_000);
    world.clock.advance(armingDelayMs - 1);
    await expectRefused(world, approval(display), 'confirmation_too_early');
    world.clock.advance(1);
    expect((await world.approve(display)).proposal.state).toBe('verified');
  });

  test('without the value to type, or with a wrong value', async () => {
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

  test('after the proposal expired', async () => {
    const world = await createWorld();
    const { display, cid, before } = await showBid(world);
    world.clock.advance(defaultWaitingMinutes * 60_000);
    await expectRefused(world, approval(display), 'proposal_expired');
    expect(world.hidden).toEqual([display.displayId]);
    const { state, outcome } = await world.core.handlers['proposals.get']({ id: display.proposal.id });
    expect({ state, code: outcome?.code }).toEqual({ state: 'expired', code: 'proposal_expired' });
    expect(await campaignNow(world, cid)).toEqual(before);
  });

  test('after the proposal was withdrawn', async () => {
    const world = await createWorld();
    const { display } = await showBid(world);
    await world.core.handlers['proposals.withdraw']({ id: display.proposal.id });
    expect(world.hidden).toEqual([display.displayId]);
    await expectRefused(world, approval(display), 'proposal_not_waiting');
  });

  test('on a display from before a restart, although the proposal still waits and can be shown again', async () => {
    const world = await createWorld();
    const { display } = await showBid(world);
    const restarted = await world.restart();
    await expectRefused(restarted, approval(display), 'display_unknown');
    const again = await restarted.look(display.proposal.id);
    expect(again.fingerprint).toBe(display.fingerprint);
    expect((await restarted.approve(again)).proposal.state).toBe('verified');
  });

  test('when an unknown outcome has locked the campaign meanwhile', async () => {
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

describe('the ledger records that a change was shown', () => {
  async function recorded(world: World, proposalId: string): Promise<string[]> {
    const page = { beforeSeq: null, limit: 9, filter: { ...everyRow, proposalId } };
    const { items } = await world.core.handlers['ledger.list'](page);
    return items.map(({ kind, via }) => `${kind} ${via}`).toReversed();
  }

  test('only once the page was drawn, not when its address was created', async () => {
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

  test('but not if the host could not show it', async () => {
    const show = (): Promise<never> => Promise.reject(new Error('No window'));
    const world = await createWorld({ confirmer: { via: 'browser', show, hide() {} } });
    const { proposal } = await proposeBid(world);
    await expect(world.core.handlers['proposals.review']({ id: proposal.id })).rejects.toThrow('No window');
    expect(await recorded(world, proposal.id)).toEqual(['proposal.proposed null']);
  });

  test('even if the person denied it immediately', async () => {
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

test('while a change is being sent, a second change of the campaign is refused, and the refusal names the first', async () => {
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
  test('if a display is approved several times at once, one write is sent', async () => {
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

  test('a denial is final, keeps its reason, and nothing is sent', async () => {
    const world = await createWorld();
    const { display, cid, before } = await showBid(world);
    const { proposal, again } = await world.deny(display, 'Too much');
    expect(again).toBeNull();
    expect(proposal).toMatchObject({ state: 'denied', reason: 'Too much' });
    await expectRefused(world, approval(display), 'display_unknown');
    expect(await campaignNow(world, cid)).toEqual(before);
  });
});

test('the confirmation shows exactly the text that will be sent, and can be opened again', async () => {
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

test('a window that fails late does not close the window that replaced it', async () => {
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

test('a proposal keeps waiting if the host cannot show it, and a write is not lost if the host cannot hide its window', async () => {
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
