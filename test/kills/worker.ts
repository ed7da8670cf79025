import { openKilledCore } from './killed-core.ts';

/*
 * A program that does one piece of work in an existing data folder and ends, unless it is killed first. Arguments: the data
 * folder, the data key, and the work: `drafts`, `batch` or `csv`. Each work changes three campaigns together.
 */
const [folder = '', dataKey = '', work = ''] = process.argv.slice(2);

const { core, approve } = await openKilledCore({ folder, dataKey, aheadMs: 60_000 });
const { handlers } = core;
const { rows } = await handlers['campaigns.page']({
  filter: { query: '', status: null, types: [], sort: 'cid', order: 'asc' },
  page: 1,
  perPage: 3,
});

if (work === 'csv') await importFile();
else await changeDrafts();
if (work === 'batch') await approveTogether();
await core.dispose();

async function changeDrafts(): Promise<void> {
  await handlers['drafts.change']({
    title: 'Rename three',
    changes: rows.map(({ cid, name }) => ({
      cid,
      field: 'name',
      draft: { from: name, operations: [{ kind: 'set', value: `kill-${work}` }] },
    })),
  });
}

async function approveTogether(): Promise<void> {
  const { proposed, refused } = await handlers['drafts.propose']({ cids: rows.map(({ cid }) => cid) });
  if (refused[0] !== undefined) throw new Error(refused[0].message);
  const { id } = await handlers['proposals.reviewTogether']({
    ids: proposed.map(({ proposalId }) => proposalId),
  });
  const state = await approve(id);
  if (state !== 'done') throw new Error(`The batch ended ${state}`);
}

async function importFile(): Promise<void> {
  const lines = rows.map(({ cid }) => `${cid},kill-csv-${cid}`);
  const bytes = Buffer.from(['cid,name', ...lines, ''].join('\r\n'));
  const { id } = await handlers['bulk.fileStart']({ name: 'names.csv' });
  await handlers['bulk.filePart']({ id, bytes: bytes.toString('base64') });
  await handlers['bulk.fileRead']({
    id,
    encoding: null,
    separator: null,
    decimals: null,
    dates: null,
    rounded: null,
    lost: null,
  });
  while ((await handlers['bulk.state']({})).isReading) await new Promise((resolve) => setImmediate(resolve));
  const { campaigns } = await handlers['bulk.addToDrafts']({ edit: { kind: 'file' } });
  if (campaigns !== rows.length) throw new Error(`${campaigns} campaigns were drafted`);
}
