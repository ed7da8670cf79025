import { expect, onTestFinished, test } from 'vitest';
import { createPlayer, whileTimePasses, workspacesLater } from '#test/core/training/player.ts';
import { smallPlan } from '#test/core/training/small-plan.ts';
import { openTraining } from '#test/core/training/training-world.ts';
import { startChild } from '#test/servers/child.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { randomMoments } from './random-moments.ts';

const program = new URL('./trainer.ts', import.meta.url);

/** Kills the program `delayMs` after it has printed this line. Returns everything that it printed. */
async function killAfter([folder, ...args]: string[], line: string, delayMs: number): Promise<string[]> {
  const child = startChild(program, [folder ?? '', ...args]);
  onTestFinished(() => child.kill());
  const lines: string[] = [];
  while (lines.at(-1) !== line) lines.push(await child.line());
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  await child.kill();
  return [...lines, ...(await child.rest())];
}

test.each(['open', 'started', 'approved'])(
  'a mission that was killed after the line “%s” is resumed and played to its end',
  async (line) => {
    const folder = tempFolder();
    const lines = await killAfter([folder], line, randomMoments().fraction() * 300);
    const clock = createManualClock();
    const world = await openTraining({ folder, clock, demoCampaigns: 20, planMission: smallPlan() });
    const { handlers } = world.core;
    const { left, attempts } = await handlers['training.home']({});
    expect(attempts).toEqual([]);
    if (line === 'open' && left === null) return;
    expect(left).toMatchObject({ kind: 'mission', mission: 'bids' });
    await whileTimePasses(clock, handlers['training.resume']({}));
    await handlers['training.begin']({});
    const player = createPlayer(world, clock, ({ quotation }) =>
      quotation === 'Says bad.' ? 'deny' : 'approve',
    );
    const { attempt, items } = await player.play();
    const story = items.map(({ stepId, verdict, title }) => `${stepId} ${verdict}: ${title}`).join('\n');
    expect(attempt, story).not.toHaveProperty('incomplete');
    expect(attempt.score, story).toMatchObject({ points: 100, undecided: 0 });
    // A change that was approved before the kill must not be shown again.
    const asked = player.answered.map(({ quotation }) => quotation);
    if (lines.includes('approved')) expect(asked).not.toContain('Says good.');
    await expect.poll(() => workspacesLater(world, clock)).toEqual([]);
  },
  60_000,
);

test.each(['saved', 'reset', 'reset'])(
  'practice that was killed during a reset, after the line “%s”, has its saved states',
  async (line) => {
    const folder = tempFolder();
    await killAfter([folder, 'reset'], line, randomMoments().fraction() * 1_500);
    const { core } = await openTraining({ folder, demoCampaigns: 20 });
    expect((await core.handlers['training.home']({})).left).toMatchObject({ kind: 'practice' });
    await core.handlers['training.resume']({});
    const { states } = await core.handlers['practice.get']({});
    expect(states).toMatchObject([{ name: 'Kept' }]);
    expect(await core.handlers['practice.return']({ name: 'Kept' })).toMatchObject({ states });
  },
  60_000,
);
