import { writeSync } from 'node:fs';
import type { FieldDraft } from '#shared/drafts/index.ts';
import { composeUnattended } from '#test/servers/unattended-core.ts';

/*
 * A program that changes the drafts of two campaigns together, undoes every third change, and continues until it is killed.
 * Arguments: the data folder and the data key. Prints `ack <n> <value>` after each change.
 */
const [folder = '', dataKey = ''] = process.argv.slice(2);

const { handlers } = await composeUnattended({
  dataFolder: folder,
  dataKey: Buffer.from(dataKey, 'hex'),
  demoCampaigns: 8,
});

let before = 0;
const start = Date.now();
for (let turn = 1; ; turn += 1) {
  const value = start + turn;
  const draft: FieldDraft = { from: 0, operations: [{ kind: 'set', value }] };
  const changes = [1, 2].map((cid) => ({ cid, field: 'payout', draft }));
  await handlers['drafts.change']({ title: `Turn ${turn}`, changes });
  // Writes at once, so that the parent reads every acknowledgement, however this process ends.
  writeSync(1, `ack ${value}\n`);
  if (turn > 1 && turn % 3 === 0) {
    await handlers['drafts.undo']({});
    writeSync(1, `ack ${before}\n`);
  } else {
    before = value;
  }
}
