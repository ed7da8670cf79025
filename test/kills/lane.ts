import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Random } from '#shared/lib/random.ts';
import { startChild, type Child } from '#test/servers/child.ts';

/** Where a child dies: killed from outside, or by itself at a chosen point of the write path. */
export type Point = 'random' | 'intent' | 'answer' | 'sent' | 'verified';

/** A write that the child reported as stored and verified. */
export interface Acknowledged {
  cid: number;
  name: string;
  proposalId: string;
}

/** One data folder on which one child after the other is killed. */
export interface Lane {
  folder: string;
  acknowledged: Acknowledged[];
  /** Starts a child that dies by itself at this point. */
  dieAt(point: Exclude<Point, 'random'>): Promise<void>;
  /** Starts a child and kills it at a random moment of its start. */
  killStarting(): Promise<void>;
  /** Starts a child and kills it at a random moment of its first write, every other time of its second. */
  killWriting(): Promise<void>;
  /** Starts once more and waits until every outcome is known. */
  settle(): Promise<void>;
}

/** Each start is a minute further on, so that expiry and settling never wait for the real time. */
const stepMs = 60_000;

const program = new URL('./writer.ts', import.meta.url);

/** `keepsKey`: the same data key at every start; otherwise another one each time, as the browser host does. */
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
  /** Decides the random moments. */
  random: Random;
  who?: 'person' | 'agent';
}): Lane {
  const acknowledged: Acknowledged[] = [];
  const newKey = (): string => randomBytes(32).toString('hex');
  const key = newKey();
  // Hundreds of starts: what the first one compiled serves the others.
  const compiled = process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled');
  const quickStart = ['env', `NODE_COMPILE_CACHE=${compiled}`];
  let starts = 0;
  let killsWriting = 0;
  // Durations of the latest start and write: random moments are chosen within them, however fast the machine is.
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

  /** Takes what is left of a child that was killed; one that ended in any other way is a failure. */
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

/** The writes that a writer reported, by what it printed. */
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
