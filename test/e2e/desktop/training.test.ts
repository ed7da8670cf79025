import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AttemptView, DebriefItem, ProposalView } from '#shared/app-api/index.ts';
import { armingDelayMs } from '#shared/host-api/index.ts';
import type { MissionId, MissionPlan, MissionStep } from '#shared/training/index.ts';
import { planMission } from '#shared/training/plan/index.ts';
import { type Answer, stepsOf, whileTimePasses } from '#test/core/training/player.ts';
import { acrossReloads, isReloaded } from '#test/servers/across-reloads.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import type { AppDriver } from '../driver/app.ts';
import type { ConfirmationDriver } from '../driver/confirmation.ts';
import { prepareDesktopSessions } from '../driver/desktop/sessions.ts';

const { startSession } = prepareDesktopSessions();

interface Debriefing {
  attempt: AttemptView;
  items: DebriefItem[];
}

interface MissionNow {
  workspace: { phase: string; attempt: string | null };
}

async function answerIn(
  confirmation: ConfirmationDriver,
  { typeToConfirm }: ProposalView,
  answer: Answer,
  clock: ManualClock,
): Promise<void> {
  await confirmation.says('Training');
  await confirmation.armed();
  clock.advance(armingDelayMs);
  if (answer === 'deny') return confirmation.pressDeny();
  if (typeToConfirm) await confirmation.page.getByLabel(/^Type /).fill(typeToConfirm.value);
  await confirmation.pressApprove();
}

/** Starts a mission. Its page loads itself anew meanwhile, and so may never hear the answer. */
async function startMission(app: AppDriver, clock: ManualClock, mission: MissionId): Promise<void> {
  const started = app.ask('training.startMission', { mission }).catch((failure: unknown) => {
    if (!isReloaded(failure)) throw failure;
  });
  await whileTimePasses(clock, started);
  const workspace = (): Promise<unknown> => acrossReloads(() => app.ask('training.workspace', {}));
  await whileTimePasses(
    clock,
    expect.poll(workspace).toMatchObject({ workspace: { mission, phase: 'briefing' } }),
  );
}

/** Plays the mission that has begun, in the windows of training, to its debriefing. */
async function play(
  app: AppDriver,
  clock: ManualClock,
  answer: (proposal: ProposalView) => Answer,
): Promise<Debriefing> {
  for (;;) {
    const { workspace } = (await app.ask('training.workspace', {})) as MissionNow;
    if (workspace.phase === 'over') {
      return (await app.ask('training.attempt', { id: workspace.attempt })) as Debriefing;
    }
    const list = { which: 'waiting', before: null, limit: 100 };
    const { items } = (await app.ask('proposals.list', list)) as { items: { id: string }[] };
    const oldest = items.at(-1);
    if (oldest === undefined) {
      clock.advance(1_000);
      await wait(5);
      continue;
    }
    const proposal = (await app.ask('proposals.get', { id: oldest.id })) as ProposalView;
    await answerIn(await app.bringUp(oldest.id), proposal, answer(proposal), clock);
    await expect
      .poll(() => app.ask('proposals.get', { id: oldest.id }))
      .not.toMatchObject({ state: 'shown' });
  }
}

test.each([
  ['bids', 'perfect', 100],
  ['audience', 'careless', 0],
] as [MissionId, 'perfect' | 'careless', number][])(
  'the mission %s is played in the windows of training by a %s person',
  async (mission, person, points) => {
    const clock = createManualClock();
    const plans: MissionPlan[] = [];
    const session = await startSession({
      clock,
      demoCampaigns: 40,
      training: {
        planMission(...args) {
          const plan = planMission(...args);
          plans.push(plan);
          return plan;
        },
      },
    });
    const app = await session.startTraining();
    await app.ask('training.setName', { name: 'Ada' });
    await startMission(app, clock, mission);
    const stepOf = stepsOf(plans[0]?.steps ?? []);
    const perfect = ({ fault }: MissionStep): Answer => (fault === null ? 'approve' : 'deny');
    await app.page.getByRole('button', { name: 'Begin' }).click();
    const { attempt, items } = await play(app, clock, (proposal) =>
      person === 'perfect' ? perfect(stepOf(proposal)) : 'approve',
    );
    expect(attempt.score).toMatchObject({ points, undecided: 0 });
    expect(items.length).toBeGreaterThan(1);
    expect((await session.titles()).filter((title) => title.startsWith('TRAINING'))).toHaveLength(2);
    // Nothing of it has reached the real core.
    expect(
      await session.app.ask('proposals.list', { which: 'waiting', before: null, limit: 10 }),
    ).toMatchObject({
      total: 0,
    });
    expect(await session.complaints()).toEqual([]);
  },
);
