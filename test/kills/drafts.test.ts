import { expect, onTestFinished, test } from 'vitest';
import { startChild } from '#test/servers/child.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import type { Random } from '#shared/lib/random.ts';
import { composeUnattended } from '#test/servers/unattended-core.ts';
import { randomMoments } from './random-moments.ts';

const program = new URL('./drafter.ts', import.meta.url);
const dataKey = 'ab'.repeat(32);
const kills = 6;

/** Kills the program at a random moment after its first acknowledged change. Returns the value that was acknowledged last. */
async function killWhileDrafting(folder: string, random: Random): Promise<number> {
  const child = startChild(program, [folder, dataKey]);
  onTestFinished(() => child.kill());
  const lines = [await child.line()];
  await new Promise((resolve) => setTimeout(resolve, random.fraction() * 200));
  await child.kill();
  lines.push(...(await child.rest()));
  const acknowledged = lines.filter((line) => /^ack \d+$/u.test(line)).map((line) => Number(line.slice(4)));
  return acknowledged.at(-1) ?? 0;
}

async function valuesAfterStart(folder: string): Promise<unknown[]> {
  const core = await composeUnattended({
    dataFolder: folder,
    dataKey: Buffer.from(dataKey, 'hex'),
    demoCampaigns: 8,
  });
  try {
    const { campaigns } = await core.handlers['drafts.get']({ cids: null });
    return campaigns.flatMap(({ fields }) => {
      const [operation] = fields['payout']?.operations ?? [];
      return operation?.kind === 'set' ? [operation.value] : [];
    });
  } finally {
    await core.dispose();
  }
}

test(`${kills} kills lose no acknowledged change of drafts and leave none half done`, async () => {
  const folder = tempFolder();
  const random = randomMoments();
  for (let kill = 1; kill <= kills; kill += 1) {
    const acknowledged = await killWhileDrafting(folder, random);
    const [first, second, ...others] = await valuesAfterStart(folder);
    expect(others).toEqual([]);
    expect(first, `kill ${kill}`).toBe(second);
    // One more step may have reached the disk without its acknowledgement: the next change, or an undo of the last.
    expect(Math.abs(Number(first) - acknowledged), `kill ${kill}`).toBeLessThanOrEqual(2);
  }
}, 300_000);
