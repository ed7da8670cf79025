import { describe, expect, test } from 'vitest';
import { isUndecided } from '#shared/proposals/states.ts';
import type { MissionStep } from '#shared/training/index.ts';
import type { ProposalView, ToolView } from '#shared/app-api/index.ts';
import { type Answer, createPlayer, type PlayedMission, startMission } from './player.ts';
import { smallPlan } from './small-plan.ts';

const perfect = ({ fault }: MissionStep): Answer => (fault === null ? 'approve' : 'deny');

function withFirst(change: (step: MissionStep) => Partial<MissionStep>): ReturnType<typeof smallPlan> {
  return (...args) => {
    const plan = smallPlan()(...args);
    const [first, ...others] = plan.steps;
    return { ...plan, steps: [{ ...first!, ...change(first!) }, ...others] };
  };
}

const demoCampaigns = 20;

describe('incidents', () => {
  test('a campaign edited while its change waits makes the agent propose the change again on the new state', async () => {
    const { world, player } = await startMission({
      demoCampaigns,
      answer: perfect,
      planMission: withFirst(({ write }) => ({
        incident: {
          at: 'waiting',
          incident: {
            kind: 'edit',
            cid: write.kind === 'update' ? write.cid : 0,
            fields: { name: 'Renamed' },
          },
        },
      })),
    });
    await world.core.handlers['training.begin']({});
    const { attempt, items } = await player.play();
    expect(attempt.score.points).toBe(100);
    expect(items[0]).toMatchObject({ verdict: 'fine', title: expect.stringContaining('Renamed') });
    expect(player.answered).toHaveLength(4);
  });

  test('a lost answer leaves an unknown outcome, which a read settles', async () => {
    const { world, player } = await startMission({
      demoCampaigns,
      answer: perfect,
      planMission: withFirst(() => ({ incident: { at: 'waiting', incident: { kind: 'lost-answer' } } })),
    });
    const states: string[] = [];
    world.core.subscribe((event) => {
      if (event.kind !== 'proposals.changed') return;
      void world.core.handlers['proposals.get']({ id: event.id }).then(
        ({ state }) => states.push(state),
        () => {},
      );
    });
    await world.core.handlers['training.begin']({});
    const { attempt } = await player.play();
    expect(states).toContain('unknown');
    expect(attempt.score.points).toBe(100);
  });

  test('the answer of the planned step is lost, even if a newer proposal is approved first', async () => {
    const later: ProposalView[] = [];
    const { world, clock, player } = await startMission({
      demoCampaigns,
      answer: () => 'leave',
      planMission: withFirst(() => ({ incident: { at: 'before', incident: { kind: 'lost-answer' } } })),
    });
    const { handlers } = world.core;
    const unknown: string[] = [];
    world.core.subscribe((event) => {
      if (event.kind !== 'proposals.changed') return;
      void handlers['proposals.get']({ id: event.id }).then(
        ({ id, state }) => state === 'unknown' && unknown.push(id),
        () => {},
      );
    });
    await handlers['training.begin']({});
    await player.until(async () => (await handlers['session.status']({})).waiting === 3);
    const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 });
    for (const { id } of items) later.push(await handlers['proposals.get']({ id }));
    const first = later.find(({ quotation }) => quotation === 'Says good.');
    const approving = createPlayer(world, clock, () => 'approve');
    // The newest proposal is decided first.
    for (const { id } of later) {
      await approving.decide(id);
      await player.until(async () => !isUndecided((await handlers['proposals.get']({ id })).state));
    }
    await player.play();
    expect(first?.id).toBe(later.at(-1)?.id);
    expect(unknown).toEqual([first?.id]);
  });

  const tool = 'svc_prepare_campaign_update';
  const changedTool = withFirst(() => ({
    incident: {
      at: 'before',
      incident: { kind: 'changed-tool', tool, description: 'Another description.', argument: 'notify' },
    },
  }));

  async function heldTool({ world }: PlayedMission): Promise<ToolView | undefined> {
    const { tools } = await world.core.handlers['agents.tools']({ profileId: 'demo' });
    return tools.find(({ name, state }) => name === tool && state === 'changed');
  }

  test('a changed tool is held, and its step continues once the trainee accepts it, even after the mission was left', async () => {
    const first = await startMission({ demoCampaigns, answer: perfect, planMission: changedTool });
    await first.world.core.handlers['training.begin']({});
    await first.player.until(async ({ decided }) => decided === 1 && (await heldTool(first)) !== undefined);
    const second = await first.restart();
    await second.player.until(async () => (await heldTool(second)) !== undefined);
    expect(second.player.answered).toEqual([]);
    const held = await heldTool(second);
    await second.world.core.handlers['agents.acceptTool']({
      profileId: 'demo',
      name: tool,
      hash: held?.offered?.hash ?? '',
    });
    const { attempt } = await second.player.play();
    expect(attempt.score.points).toBe(100);
  });
});

describe('a trainee who stops the agent', () => {
  test.each(['freeze', 'revoke'] as const)(
    'has stopped the waiting changes, and is not judged by steps that were never proposed: %s',
    async (how) => {
      const { world, player } = await startMission({
        demoCampaigns,
        answer: () => 'leave',
        planMission: smallPlan(),
      });
      const { handlers } = world.core;
      await handlers['training.begin']({});
      await player.until(async () => (await handlers['session.status']({})).waiting === 1);
      const { agents } = await handlers['agents.get']({});
      if (how === 'freeze') await handlers['agents.freeze']({});
      else await handlers['agents.revoke']({ id: agents[0]?.id ?? '' });
      const { attempt } = await player.play();
      expect(attempt.score).toMatchObject({ points: 0, caught: 0, falseAlarms: 1, undecided: 0 });
      expect(attempt).toMatchObject({ faults: [], incomplete: 'ended-early' });
    },
  );

  test.each(['freeze', 'revoke'] as const)(
    'still counts as having stopped it after the mission was left and resumed: %s',
    async (how) => {
      const first = await startMission({ demoCampaigns, answer: () => 'leave', planMission: smallPlan() });
      const { handlers } = first.world.core;
      await handlers['training.begin']({});
      await first.player.until(async () => (await handlers['session.status']({})).waiting === 1);
      const { agents } = await handlers['agents.get']({});
      if (how === 'freeze') await handlers['agents.freeze']({});
      else await handlers['agents.revoke']({ id: agents[0]?.id ?? '' });
      const second = await first.restart();
      const { attempt } = await second.player.play();
      expect(attempt.score).toMatchObject({ caught: 0, falseAlarms: 1 });
      expect(attempt).toMatchObject({ incomplete: 'ended-early' });
    },
  );
});

test('a change that the trainee withdraws from the list counts as stopped', async () => {
  const { world, player } = await startMission({
    demoCampaigns,
    answer: ({ id }) => (id === 'bad' ? 'leave' : 'approve'),
    planMission: smallPlan(),
  });
  const { handlers } = world.core;
  await handlers['training.begin']({});
  await player.until(({ decided }) => decided === 2);
  const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 });
  await handlers['proposals.withdraw']({ id: items[0]?.id ?? '' });
  expect((await player.play()).attempt.score).toMatchObject({ points: 100, caught: 1 });
});

test('changes that are approved together are judged one by one', async () => {
  const { world, clock, player } = await startMission({
    demoCampaigns,
    answer: () => 'leave',
    planMission: (...args) => {
      const plan = smallPlan()(...args);
      const pauses = plan.steps.map(({ write, ...step }) => ({
        ...step,
        says: null,
        write: {
          kind: 'status' as const,
          cids: write.kind === 'update' ? [write.cid] : write.cids,
          status: 'paused' as const,
        },
      }));
      return { ...plan, steps: pauses };
    },
  });
  const { handlers, confirmation } = world.core;
  await handlers['training.begin']({});
  await player.until(async () => (await handlers['session.status']({})).waiting === 3);
  const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 });
  await handlers['proposals.reviewTogether']({ ids: items.map(({ id }) => id) });
  const { displayId, nonce, fingerprint, proposal } = world.shown.at(-1)!;
  expect(proposal.operation).toBe('batch');
  confirmation.seen({ displayId, nonce });
  clock.advance(2_000);
  const approve = { decision: 'approve', reason: null, typed: null } as const;
  await confirmation.decide({ displayId, nonce, fingerprint, ...approve });
  const { attempt, items: judged } = await player.play();
  expect(attempt.score).toMatchObject({ points: 0, missed: 1, fine: 2 });
  expect(judged.map(({ decidedInMs }) => decidedInMs)).toEqual([2_000, 2_000, 2_000]);
});
