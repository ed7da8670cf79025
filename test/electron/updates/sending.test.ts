import { expect, test } from 'vitest';
import { type AskableCore, sendingIn } from '../../../src/main/electron/updates/set-up-updates.ts';
import type { AppInput } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createWorld, proposeBid, type World } from '#test/core/proposals/world.ts';

/** A running core with the interface that the desktop uses. */
const askable = ({ core }: World): AskableCore => ({
  state: () => ({ kind: 'ready' }),
  ask: (_surface, _name, input) => core.handlers['proposals.list'](input as AppInput<'proposals.list'>),
});

test('a change counts as being sent from its approval until its outcome is known', async () => {
  const world = await createWorld();
  const core = askable(world);
  expect(await sendingIn(core)).toBeNull();
  const { proposal } = await proposeBid(world);
  const display = await world.look(proposal.id);
  expect(await sendingIn(core)).toBeNull();

  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const run = (): Promise<void> => {
    arrived.resolve();
    return released.promise;
  };
  world.service.faults.arm({ kind: 'meanwhile', method: 'PUT', path: '/login/campaigns', run });
  const decided = world.approve(display);
  await arrived.promise;
  expect(await sendingIn(core)).toBe('sending');

  released.resolve();
  expect((await decided).proposal.state).toBe('verified');
  expect(await sendingIn(core)).toBeNull();
});

test.each(['starting', 'restarting', 'stopped'])('a core that is %s is sending nothing', async (kind) => {
  const state = { kind } as ReturnType<AskableCore['state']>;
  const ask = (): never => {
    throw new Error('It was asked');
  };
  expect(await sendingIn({ state: () => state, ask })).toBeNull();
});

test('a core that ends during the question is sending nothing', async () => {
  const ask = (): Promise<never> => Promise.reject(new AppError('core_unreachable'));
  expect(await sendingIn({ state: () => ({ kind: 'ready' }), ask })).toBeNull();
});
