import type { ScheduleView } from '#shared/app-api/index.ts';
import { createTaskClient } from '#test/servers/task-client.ts';
import { openKilledCore, say } from './killed-core.ts';

/*
 * A program with a task that pauses a campaign every morning. Arguments: the data folder, the data key, the milliseconds by
 * which its clock is ahead, the campaign, and a mode:
 * - `make`: makes the task of the first running campaign, prints the id of that campaign, and ends.
 * - `random`, or a point of `stepsAt`: prints `started`, waits for the proposal of the pause, approves it, and prints
 *   `approved`. At its point it kills itself; otherwise its parent kills it.
 * - `settle`: approves undecided proposals until the day's pause is committed, makes the campaign run again, prints
 *   `settled`, and ends. Prints `lost` and the state of the task if the task stays due.
 */
const [folder = '', dataKey = '', aheadMs = '0', cid = '', mode = 'random'] = process.argv.slice(2);

/** For each point, the number of changes of the proposal that pages have been told about. */
const stepsAt: Partial<Record<string, number>> = {
  proposed: 1,
  shown: 2,
  approved: 3,
  intent: 4,
  sent: 5,
  verified: 6,
};

const halfDayMs = 12 * 60 * 60_000;
const maxLooks = 200;
const lookMs = 25;

const { core, service, approve, pass } = await openKilledCore({ folder, dataKey, aheadMs: Number(aheadMs) });
const { handlers } = core;

if (mode === 'make') await make();
else if (mode === 'settle') await settle();
else await approveUntilKilled();

async function make(): Promise<void> {
  const { campaigns } = service.buyersCampaigns();
  const running = Number(campaigns.find(({ status }) => status === 1)?.['cid']);
  const client = createTaskClient(service, core.info.serviceUrl);
  await client.pauseEveryMorning(running);
  await client.dispose();
  await core.dispose();
  say(String(running));
}

async function approveUntilKilled(): Promise<void> {
  const steps = new Map<string, number>();
  core.subscribe((event) => {
    if (event.kind !== 'proposals.changed') return;
    const step = (steps.get(event.id) ?? 0) + 1;
    steps.set(event.id, step);
    if (step === stepsAt[mode]) process.kill(process.pid, 'SIGKILL');
  });
  say('started');
  for (;;) {
    if (!(await approveWaiting())) continue;
    say('approved');
    await new Promise((resolve) => setTimeout(resolve, halfDayMs));
  }
}

async function settle(): Promise<void> {
  for (let look = 0; !(await isCommitted()); look += 1) {
    if (look === maxLooks) {
      say(`lost ${JSON.stringify(await task())}`);
      break;
    }
    // A write in flight may still arrive for some time.
    pass(1_000);
    await approveWaiting();
  }
  service.editCampaign(Number(cid), { status: 1 });
  await core.dispose();
  say('settled');
}

/** Reads the tasks, settles unknown outcomes, and approves undecided proposals. Returns true if a proposal was approved. */
async function approveWaiting(): Promise<boolean> {
  await handlers['schedules.list']({ read: true });
  await new Promise((resolve) => setTimeout(resolve, lookMs));
  const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 });
  for (const { id, state } of items) {
    if (state === 'unknown') await handlers['proposals.settle']({ id });
    if (state !== 'proposed' && state !== 'shown') continue;
    await approve(id);
    return true;
  }
  return false;
}

async function task(): Promise<ScheduleView | undefined> {
  const { tasks } = await handlers['schedules.list']({ read: false });
  return tasks[0];
}

/** Returns true once the pause that became due in this start, or in an earlier start of this day, was committed. */
async function isCommitted(): Promise<boolean> {
  const run = (await task())?.lastRun ?? null;
  const nowMs = Date.now() + Number(aheadMs);
  return run !== null && run.outcome === 'committed' && run.ranAtMs > nowMs - halfDayMs;
}
