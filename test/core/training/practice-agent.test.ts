import { expect, test } from 'vitest';
import { systemClock, type Clock } from '#core/platform/clock.ts';
import type { AppInput, PracticeView, ProposalView } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { openTraining, type TrainingWorld } from './training-world.ts';
import { eventually, untilFound } from '#test/setup/eventually.ts';

type AgentBehaviour = AppInput<'practice.startAgent'>['behaviour'];

/** The factor by which waits are shortened. */
const hurry = 10;

const hurriedClock: Clock = {
  nowMs: systemClock.nowMs,
  monotonicMs: () => systemClock.monotonicMs() * hurry,
  after: (delayMs, call) => systemClock.after(delayMs / hurry, call),
};

async function decide({ core, shown }: TrainingWorld, id: string, decision: 'approve' | 'deny') {
  await core.handlers['proposals.review']({ id });
  const display = shown.at(-1);
  if (display === undefined) throw new Error('Nothing was shown');
  const { displayId, nonce, fingerprint } = display;
  core.confirmation.seen({ displayId, nonce });
  await untilFound(() =>
    core.confirmation
      .decide({ displayId, nonce, fingerprint, decision, reason: null, typed: null })
      .catch((failure: AppError) => {
        if (failure.code !== 'confirmation_too_early') throw failure;
        return null;
      }),
  );
}

async function waiting({ core }: TrainingWorld): Promise<ProposalView | null> {
  const { items } = await core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 20 });
  const oldest = items.at(-1);
  return oldest === undefined ? null : core.handlers['proposals.get']({ id: oldest.id });
}

/** Admits the agent and denies everything that it proposes. Returns its proposals when it has ended. */
async function denyAll(world: TrainingWorld): Promise<{ proposed: ProposalView[]; panel: PracticeView }> {
  const proposed: ProposalView[] = [];
  const panel = await untilFound(async () => {
    const proposal = await waiting(world);
    if (proposal !== null) {
      const isAdmission = proposal.operation === 'agent.admit';
      if (!isAdmission) proposed.push(proposal);
      await decide(world, proposal.id, isAdmission ? 'approve' : 'deny');
    }
    const now = await world.core.handlers['practice.get']({});
    return now.agent.isRunning ? null : now;
  });
  return { proposed, panel };
}

async function play(behaviour: AgentBehaviour): Promise<ProposalView[]> {
  const world = await openTraining({ clock: hurriedClock, demoCampaigns: 60 });
  await world.core.handlers['training.startPractice']({});
  const { agent } = await world.core.handlers['practice.startAgent']({ behaviour });
  expect(agent).toMatchObject({ behaviour, isRunning: true });
  const { proposed, panel } = await denyAll(world);
  expect(panel.agent.said).toMatch(/^Finished: asked for \d+ changes, you approved 0/);
  return proposed;
}

const isHeavy = ({ warnings }: ProposalView): boolean =>
  warnings.some(({ severity }) => severity === 'danger');

test('a careful agent proposes small changes that need no typing', async () => {
  const proposed = await play('careful');
  expect(proposed.length).toBeGreaterThan(3);
  expect(proposed.filter(isHeavy)).toEqual([]);
  expect(proposed.every(({ typeToConfirm }) => typeToConfirm === null)).toBe(true);
});

test('a hasty agent proposes large changes', async () => {
  const proposed = await play('hasty');
  expect(proposed.filter(isHeavy).length).toBeGreaterThan(2);
});

test('a hostile agent describes its changes falsely and hides what it can', async () => {
  const proposed = await play('hostile');
  const opposite = proposed.find(
    ({ quotation }) => quotation?.startsWith('Lowers the daily budget') === true,
  );
  expect(opposite?.title).toMatch(/^Raise the daily budget/);
  expect(JSON.stringify(proposed)).toContain('campaignIds');
});

test('an agent can be stopped and replaced by another one', async () => {
  const world = await openTraining({ clock: hurriedClock, demoCampaigns: 60 });
  const { handlers } = world.core;
  await handlers['training.startPractice']({});
  await handlers['practice.startAgent']({ behaviour: 'careful' });
  await eventually(async () => expect(await waiting(world)).not.toBeNull());
  const { agent } = await handlers['practice.startAgent']({ behaviour: 'hasty' });
  expect(agent).toMatchObject({ behaviour: 'hasty', isRunning: true });
  const stopped = await handlers['practice.stopAgent']({});
  expect(stopped.agent).toMatchObject({
    behaviour: 'hasty',
    isRunning: false,
    said: expect.any(String) as string,
  });
});
