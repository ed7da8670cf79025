import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Random } from '#shared/lib/random.ts';
import { startChild, type Child } from '#test/servers/child.ts';
import { countStates, damageOf } from './inspect.ts';

/** Points at which the program kills itself: right after the proposal of the due change has reached this state. */
export const schedulePoints = ['proposed', 'shown', 'approved', 'intent', 'sent', 'verified'] as const;

/** A data folder with a task that pauses a campaign every morning. Each morning one start is killed. */
export interface ScheduleLane {
  /**
   * Kills a start at the point, or at a random moment. Then starts again and approves the undecided proposals. Returns every
   * problem: damage, a due pause without a proposal, and a pause that was not committed exactly once.
   */
  kill(at: (typeof schedulePoints)[number] | 'random'): Promise<string[]>;
}

const program = new URL('./scheduler.ts', import.meta.url);
const dayMs = 24 * 60 * 60_000;

export async function createScheduleLane(folder: string, random: Random): Promise<ScheduleLane> {
  const key = randomBytes(32).toString('hex');
  const compiled = process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled');
  let day = 0;
  /** Time that an approval took, measured from the start of the work. */
  let workMs = 400;

  const start = (cid: string, mode: string): Child =>
    startChild(
      program,
      [folder, key, String(day * dayMs), cid, mode],
      ['env', `NODE_COMPILE_CACHE=${compiled}`],
    );

  const maker = start('', 'make');
  const cid = await maker.line();
  await maker.ended;

  async function killAtRandom(): Promise<void> {
    const child = start(cid, 'random');
    await child.line();
    await new Promise((resolve) => setTimeout(resolve, random.fraction() * workMs));
    await child.kill();
    const lines = await child.rest();
    // If the work was already complete, the next kill comes earlier; otherwise it may come later.
    workMs = Math.max(50, workMs + (lines.includes('approved') ? -25 : 25));
  }

  async function killAt(point: string): Promise<void> {
    const child = start(cid, point);
    await child.rest();
    if ((await child.ended) !== null) throw new Error(`The program ended by itself\n${child.errors()}`);
  }

  return {
    async kill(at) {
      day += 1;
      await (at === 'random' ? killAtRandom() : killAt(at));
      const after = await damageOf(folder);
      const settling = start(cid, 'settle');
      const lines = await settling.rest();
      if ((await settling.ended) !== 0) return [...after, `the next start ended\n${settling.errors()}`];
      const { verified = 0 } = countStates(folder);
      return [
        ...after,
        ...lines.filter((line) => line.startsWith('lost')),
        ...(await damageOf(folder)),
        ...(verified === day ? [] : [`${verified} pauses were committed in ${day} days`]),
      ];
    },
  };
}
