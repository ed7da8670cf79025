import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { drawingLimitMs } from '#electron/confirmation/controller.ts';
import type { AttemptView, DebriefItem, ProposalView } from '#shared/app-api/index.ts';
import { armingDelayMs } from '#shared/host-api/index.ts';
import type { MissionId, MissionPlan, MissionStep } from '#shared/training/index.ts';
import { planMission } from '#shared/training/plan/index.ts';
import { type Answer, stepsOf, whileTimePasses } from '#test/core/training/player.ts';
import { smallPlan } from '#test/core/training/small-plan.ts';
import { textOf } from '#test/servers/agent/agent.ts';
import { acrossReloads, isReloaded } from '#test/servers/across-reloads.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { startServedService } from '#test/servers/served-service.ts';
import { admitAgent } from '../driver/agents.ts';
import type { AppDriver } from '../driver/app.ts';
import { workerChromium } from '../driver/chromium.ts';
import type { ConfirmationDriver } from '../driver/confirmation.ts';
import { liveDriver } from '../driver/desktop/live-service.ts';
import { prepareDesktopSessions } from '../driver/desktop/sessions.ts';
import { hurried, trainingDriver } from '../driver/training.ts';

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

test('a live change that an agent proposes while a mission runs waits behind a badge, and the stop in training stops that agent', async () => {
  const [live, session, browser] = await Promise.all([
    startServedService(),
    startSession({
      demoCampaigns: 12,
      training: { planMission: hurried(smallPlan()), demoCampaigns: 40 },
    }),
    workerChromium(),
  ]);
  const { app } = session;
  const person = liveDriver({ app, live, browser, opened: session.opened });
  await app.until('first row');
  await person.addProfile('Meridian');
  await person.signIn(['Propose changes through tools']);
  await person.paste('Member access token', live.account('buyer').member_token);
  await person.switchTo('Meridian');
  await app.goTo('Campaigns');
  await app.filterStatus('Active');
  const cid = await app.cidInRow(1);
  const agent = await admitAgent(app, { name: 'Live agent' });

  const training = await session.startTraining();
  const mission = trainingDriver(training);
  const { page } = mission;
  await mission.train('Ada');
  await mission.start('Bids');
  await mission.begin();
  await training.waiting(3);
  const [confirm, trainingConfirm] = await Promise.all([
    session.window('confirm'),
    session.window('trainingConfirm'),
  ]);
  await expect.poll(trainingConfirm.isVisible).toBe(true);
  await trainingConfirm.close();
  await training.turnTo();
  const focused = page.getByRole('link', { name: 'Reports' });
  await focused.focus();

  const change = agent.change(cid, { name: 'A live change' });
  const badge = page.getByRole('button', { name: '1 real change waits' });
  await badge.waitFor();
  // As long as a confirmation would take to come up.
  await wait(drawingLimitMs * 2);
  expect(await confirm.isVisible()).toBe(false);
  expect(await page.evaluate(() => document.hasFocus())).toBe(true);
  expect(await focused.evaluate((found) => found === document.activeElement)).toBe(true);
  await page.getByText('0 of 3 decided').waitFor();

  await badge.click();
  await expect.poll(confirm.isVisible).toBe(true);
  await confirm.page.getByRole('heading', { name: /A live change/, level: 1 }).waitFor();
  expect(await session.titles()).toContain('LIVE · Meridian · Confirm a change');
  expect(await confirm.page.locator('html').getAttribute('data-profile')).toBe('live');
  expect(await confirm.page.locator('body').innerText()).not.toContain('nothing here is real');
  await confirm.close();

  await training.turnTo();
  await page.getByRole('button', { name: 'Stop real agents' }).click();
  expect(textOf(await change)).toContain('frozen');
  await page.getByText('Real agents frozen').waitFor();
  expect(await app.ask('agents.get', {})).toMatchObject({ frozenSinceMs: expect.any(Number) as number });
  // The agent of the mission goes on, and so does the mission.
  expect(await training.ask('agents.get', {})).toMatchObject({ frozenSinceMs: null });
  await training.waiting(3);
  expect(await session.complaints()).toEqual([]);
});
