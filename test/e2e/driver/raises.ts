import { expect } from 'vitest';
import type { AppDriver } from './app.ts';
import type { SecondClient } from './second-client.ts';

/** Proposes to raise this many bids by 10%, and to triple one bid in their middle. */
export async function proposeRaises(
  app: AppDriver,
  second: SecondClient,
  count: number,
): Promise<{ equal: number[]; outlier: number }> {
  const made: number[] = [];
  let outlier = 0;
  for (const cid of await second.cids({ status: 1, perPage: 200 })) {
    if (made.length > count) break;
    // Campaigns of other types have different ranges of bids.
    const { payout } = await second.read(cid);
    if (Number(payout) < 0.03 || Number(payout) > 0.25) continue;
    const isOutlier = made.length === Math.floor(count / 2);
    if (isOutlier) outlier = cid;
    await second.change(cid, { payout: 0.1 });
    await app.propose(cid, { field: 'payout', from: 0.1, to: isOutlier ? 0.3 : 0.11 });
    made.push(cid);
  }
  expect(made).toHaveLength(count + 1);
  return { equal: made.filter((cid) => cid !== outlier), outlier };
}
