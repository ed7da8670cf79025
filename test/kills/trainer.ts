import { composeTraining } from '#core/compose/training.ts';
import { systemClock, type Clock } from '#core/platform/clock.ts';
import type { Display } from '#shared/host-api/index.ts';
import { smallPlan } from '#test/core/training/small-plan.ts';
import { say } from './killed-core.ts';

/*
 * A program that starts a mission and approves what is good in it, until it is killed. Argument: the data folder of training. Prints
 * `started` when the mission is prepared, and `approved` after each approval. With `reset` as another argument it saves a state of free
 * practice instead, prints `saved`, and resets practice again and again; `reset` after each.
 */
const [folder = '', what = 'mission'] = process.argv.slice(2);

/** Waits up to 10 s take a twentieth of their time. Longer ones are deadlines of requests, which a busy machine needs in full. */
const hurry = 20;
const clock: Clock = {
  nowMs: systemClock.nowMs,
  monotonicMs: () => systemClock.monotonicMs() * hurry,
  after: (delayMs, call) => systemClock.after(delayMs > 10_000 ? delayMs : delayMs / hurry, call),
};

let shown: Display | undefined;
const { handlers, confirmation } = await composeTraining({
  dataFolder: folder,
  host: 'terminal',
  version: '0.0.0',
  clock,
  demoCampaigns: 20,
  planMission: smallPlan(),
  confirmer: {
    via: 'terminal',
    show: async (display) => {
      shown = display;
      return { address: null };
    },
    hide() {},
  },
});

say('open');
if (what === 'reset') {
  await handlers['training.startPractice']({});
  await handlers['practice.save']({ name: 'Kept' });
  say('saved');
  for (;;) {
    await handlers['practice.reset']({});
    say('reset');
  }
}
await handlers['training.setName']({ name: 'Ada' });
await handlers['training.startMission']({ mission: 'bids' });
say('started');
await handlers['training.begin']({});
const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
for (;;) {
  const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 });
  for (const { id } of items) {
    const { quotation } = await handlers['proposals.get']({ id });
    if (quotation !== 'Says good.') continue;
    await handlers['proposals.review']({ id });
    if (shown === undefined) continue;
    const { displayId, nonce, fingerprint } = shown;
    confirmation.seen({ displayId, nonce });
    await wait(50);
    const approve = { decision: 'approve', reason: null, typed: null } as const;
    await confirmation.decide({ displayId, nonce, fingerprint, ...approve });
    say('approved');
  }
  await wait(20);
}
