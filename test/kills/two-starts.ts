import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '#shared/lib/random.ts';
import { startChild } from '#test/servers/child.ts';
import { problemsOf } from './inspect.ts';
import { acknowledgedIn, createLane } from './lane.ts';

const writer = new URL('./writer.ts', import.meta.url);
const dataKey = 'ef'.repeat(32);
/** The clock of each start is a minute further ahead, as in a lane. */
const stepMs = 60_000;
const contenders = 3;
/** Long enough for a start and some writes. */
const longestPauseMs = 1_500;

/** Several cores that compete for one folder, whose lock is deleted meanwhile. */
export interface TwoStarts {
  /**
   * Starts writers one after the other, deletes the lock at random moments, and kills all of them. Returns the number of
   * acknowledged writes, and every problem of the folder afterwards.
   */
  round(): Promise<{ writes: number; problems: string[] }>;
}

/** Prepares a folder with a completed first start, and returns the rounds on it. */
export async function createTwoStarts(folder: string, random: Random): Promise<TwoStarts> {
  let starts = 0;
  const start = () => {
    starts += 1;
    return startChild(writer, [
      folder,
      dataKey,
      String(starts * stepMs),
      `twice${starts}`,
      'person',
      'random',
    ]);
  };
  const lane = createLane({ folder, word: 'first', keepsKey: true, random });
  await lane.settle();

  return {
    async round() {
      const first = start();
      // The first core is ready and has written once.
      const said = [await first.line(), await first.line()];
      const children = [first];
      while (children.length < contenders) {
        children.push(start());
        await sleep(random.fraction() * longestPauseMs);
        rmSync(join(folder, 'lock.sqlite'), { force: true });
      }
      await sleep(random.fraction() * longestPauseMs);
      await Promise.all(children.map((child) => child.kill()));
      const printed = await Promise.all(children.map((child) => child.rest()));
      const acknowledged = acknowledgedIn([...said, ...printed.flat()]);
      return { writes: acknowledged.length, problems: await problemsOf(folder, acknowledged) };
    },
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
