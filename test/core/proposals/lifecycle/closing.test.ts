import { expect, test } from 'vitest';
import { createUnfinishedWork } from '#core/proposals/lifecycle/unfinished-work.ts';
import { createWorld, findCampaign, proposeBid, type World } from '../world.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';

/** Holds the next request with this method at the service: `arrived` resolves when it arrives, `letGo` answers it. */
function holdNext(world: World, method: 'GET' | 'PUT'): { arrived: Promise<void>; letGo: () => void } {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
  const run = (): Promise<void> => {
    arrive();
    return released;
  };
  world.service.faults.arm({ kind: 'meanwhile', method, path: '/login/campaigns', run });
  return { arrived, letGo };
}

async function state(world: World, id: string): Promise<unknown> {
  const { state: now, outcome } = await world.core.handlers['proposals.get']({ id });
  return { state: now, code: outcome?.code ?? null };
}

const stopped = { state: 'withdrawn', code: 'stopped_before_sending' };

test('a closing core finishes the write that it is sending and does not send the next approved change', async () => {
  const world = await createWorld();
  const first = await proposeBid(world);
  const { cid } = await findCampaign(world, (row) => row.status === 1 && row.cid !== first.cid);
  const second = await proposeBid(world, 0.9, cid);
  const displays = [await world.look(first.proposal.id), await world.look(second.proposal.id)];
  const { arrived, letGo } = holdNext(world, 'PUT');
  const deciding = displays.map((display) => world.approve(display));
  await arrived;
  const closed = world.core.dispose();
  letGo();
  const [sent, queued] = await Promise.all(deciding);
  await closed;
  expect(sent?.proposal.state).toBe('verified');
  expect(queued?.proposal).toMatchObject({ state: 'withdrawn', outcome: { code: 'stopped_before_sending' } });
  const restarted = await world.restart();
  expect(await state(restarted, second.proposal.id)).toEqual(stopped);
  expect(world.puts()).toBe(1);
});

test('a change that is read again when the core closes is completed', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  const display = await world.look(proposal.id);
  const { arrived, letGo } = holdNext(world, 'GET');
  const deciding = world.approve(display);
  await arrived;
  const closed = world.core.dispose();
  letGo();
  expect((await deciding).proposal.state).toBe('verified');
  await closed;
  expect(world.puts()).toBe(1);
});

test('a closing core accepts no decision, and the proposal keeps waiting', async () => {
  const world = await createWorld();
  const { proposal } = await proposeBid(world);
  const display = await world.look(proposal.id);
  const closed = world.core.dispose();
  await expect(world.approve(display)).rejects.toMatchObject({ code: 'shutting_down' });
  await expect(world.deny(display)).rejects.toMatchObject({ code: 'shutting_down' });
  await expect(world.core.handlers['proposals.review']({ id: proposal.id })).rejects.toMatchObject({
    code: 'shutting_down',
  });
  await closed;
  const restarted = await world.restart();
  expect(await state(restarted, proposal.id)).toEqual({ state: 'shown', code: null });
});

test('a change that is being prepared when the core closes is proposed before the core ends', async () => {
  const world = await createWorld();
  const { cid, payout } = await findCampaign(world, ({ status }) => status === 1);
  const { arrived, letGo } = holdNext(world, 'GET');
  const proposing = proposeUpdate(world.core.handlers, {
    cid,
    changes: [{ field: 'payout', from: payout, to: Number((payout * 1.1).toFixed(4)) }],
  });
  await arrived;
  const closed = world.core.dispose();
  letGo();
  const { id } = await proposing;
  await closed;
  const restarted = await world.restart();
  expect(await state(restarted, id)).toEqual({ state: 'proposed', code: null });
});

test('closing waits for work that fails, and the failure reaches its caller', async () => {
  const { run, end, isEnding } = createUnfinishedWork();
  const { promise, reject } = Promise.withResolvers<never>();
  const asked = run(() => promise);
  const failure = asked.catch((thrown: unknown) => thrown);
  expect(isEnding()).toBe(false);
  const ended = end();
  expect(isEnding()).toBe(true);
  reject(new Error('broken'));
  expect(await failure).toMatchObject({ message: 'broken' });
  await ended;
});
