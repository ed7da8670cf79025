import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Random } from '#shared/lib/random.ts';
import { startChild, type Child } from '#test/servers/child.ts';

/** The moment at which a child dies: it is killed from outside, or kills itself at a point of the write path. */
export type Point = 'random' | 'intent' | 'answer' | 'sent' | 'verified';

/** A write that the child reported as stored and verified. */
export interface Acknowledged {
  cid: number;
  name: string;
  proposalId: string;
}

/** A data folder on which children are started and killed one after the other. */
export interface Lane {
  folder: string;
  acknowledged: Acknowledged[];
  /** Starts a child that kills itself at this point. */
  dieAt(point: Exclude<Point, 'random'>): Promise<void>;
  /** Starts a child and kills it at a random moment of its start. */
  killStarting(): Promise<void>;
  /** Starts a child and kills it at a random moment of its first write, or every other time of its second write. */
  killWriting(): Promise<void>;
  /** Starts a last child and waits until every outcome is known. */
  settle(): Promise<void>;
}

/** The clock of each start is a minute further ahead, so that expiry and settling never wait for real time. */
const stepMs = 60_000;

const program = new URL('./writer.ts', import.meta.url);

/** With `keepsKey`, every start has the same data key. Otherwise each start has another key, as in the browser host. */
export function createLane({
  folder,
  word,
  keepsKey,
  random,
  who = 'person',
}: {
  folder: string;
  word: string;
  keepsKey: boolean;
  /** Determines the random moments. */
  random: Random;
  who?: 'person' | 'agent';
}): Lane {
  const acknowledged: Acknowledged[] = [];
  const newKey = (): string => randomBytes(32).toString('hex');
  const key = newKey();
  // There are hundreds of starts, so the code compiled by the first start is cached for the others.
  const compiled = process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled');
  const quickStart = ['env', `NODE_COMPILE_CACHE=${compiled}`];
  let starts = 0;
  let killsWriting = 0;
  // Durations of the latest start and write. Random moments are chosen within them, so that they fit the machine's
  // speed.
  let startMs = 500;
  let writeMs = 50;

  function start(mode: Point | 'settle'): Child {
    starts += 1;
    const dataKey = keepsKey ? key : newKey();
    return startChild(
      program,
      [folder, dataKey, String(starts * stepMs), `${word}${starts}`, who, mode],
      quickStart,
    );
  }

  const note = (lines: readonly string[]): void => void acknowledged.push(...acknowledgedIn(lines));

  /** Waits for the end of a killed child. Any other way of ending is a failure. */
  async function end(child: Child): Promise<void> {
    note(await child.rest());
    if ((await child.ended) !== null) throw new Error(`The writer ended by itself\n${child.errors()}`);
  }

  return {
    folder,
    acknowledged,
    dieAt: (point) => end(start(point)),
    async killStarting() {
      const child = start('random');
      await sleep(random.fraction() * startMs);
      await child.kill();
      await end(child);
    },
    async killWriting() {
      killsWriting += 1;
      const startedAt = performance.now();
      const child = start('random');
      await child.line();
      startMs = performance.now() - startedAt;
      if (killsWriting % 2 === 0) {
        const readyAt = performance.now();
        note([await child.line()]);
        writeMs = performance.now() - readyAt;
      }
      await sleep(random.fraction() * writeMs);
      await child.kill();
      await end(child);
    },
    async settle() {
      const child = start('settle');
      const lines = await child.rest();
      if ((await child.ended) !== 0 || !lines.includes('settled'))
        throw new Error('The outcomes were not settled');
    },
  };
}

/** Returns the writes that a writer acknowledged in its output. */
export function acknowledgedIn(lines: readonly string[]): Acknowledged[] {
  return lines.flatMap((line) => {
    const [kind, cid, name, proposalId] = line.split(' ');
    if (kind !== 'ack' || name === undefined || proposalId === undefined) return [];
    return [{ cid: Number(cid), name, proposalId }];
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
