import type { CampaignRow } from '#shared/contract/index.ts';
import { largestPage } from '../account.ts';
import { absentCid, type CheckContext, type ContractCheck } from '../check.ts';
import { drift, shown } from '../expect.ts';
import { NotChecked } from '../outcome.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** Maximum number of statuses to ask for. */
const maxStatuses = 2;

async function rowsOf({ account }: CheckContext) {
  const { rows, isWhole } = await account.rows();
  const [first] = rows;
  if (first === undefined) throw new NotChecked('The account has no campaign.');
  return { rows, first, isWhole };
}

/** The contract does not fix the exact order of names, so most neighbours have to be in order, not all. */
const namesCompared = 50;

/** By name: one order is the other one turned, whatever it is exactly, and most neighbours are in order. */
async function expectOrderedByName({ account }: CheckContext, formats: Formats): Promise<void> {
  const at = async (order: string, page: number) =>
    account.list(`sort=name&order=${order}&perPage=1&page=${page}`);
  const first = await account.list(`sort=name&order=asc&perPage=${namesCompared}`);
  const names = first.data.map(({ name }) => name);
  const collator = new Intl.Collator('en', { sensitivity: 'base' });
  const falls = names.filter((name, at) => at > 0 && collator.compare(names[at - 1] ?? '', name) > 0).length;
  if (falls > names.length / 4) drift('names in ascending order', 'another order');
  const ends = [first, await at('desc', first.total), await at('asc', first.total), await at('desc', 1)];
  const [start, turnedEnd, end, turnedStart] = ends.map(({ data: [row] }) => row?.name);
  if (start !== turnedEnd)
    drift(`${shown(start, formats)} at the end of the descending order`, shown(turnedEnd, formats));
  if (end !== turnedStart)
    drift(`${shown(end, formats)} at the start of the descending order`, shown(turnedStart, formats));
}

async function expectFiltered({ account }: CheckContext, formats: Formats): Promise<void> {
  const samples = await account.samples();
  const [one, other] = samples;
  if (one === undefined || other === undefined) {
    throw new NotChecked('The account has campaigns of one type only.');
  }
  const typeOf = ({ campaign }: typeof one) => Number(campaign['type']);
  const totals: number[] = [];
  for (const sample of [one, other]) {
    const page = await account.list(`types=${typeOf(sample)}&perPage=${largestPage}`);
    const { type_name: expected } = sample.row;
    const stray = page.data.find((row) => row.type_name !== expected);
    if (stray !== undefined)
      drift(`campaigns of ${shown(expected, formats)} alone`, shown(stray.type_name, formats));
    totals.push(page.total);
  }
  const both = await account.list(`types=${typeOf(one)}&types=${typeOf(other)}&perPage=1`);
  const sum = totals.reduce((left, right) => left + right, 0);
  if (both.total !== sum) drift(`${sum} campaigns of both types`, String(both.total));
}

/** That so many campaigns have the status; where they do not, they may have moved meanwhile and are read once more. */
async function expectCount(
  { account }: CheckContext,
  { status, total, rows }: { status: number; total: number; rows: readonly CampaignRow[] },
): Promise<void> {
  const countIn = (found: readonly CampaignRow[]) => found.filter((row) => row.status === status).length;
  if (countIn(rows) === total) return;
  const count = countIn((await account.readPages()).flatMap(({ data }) => data));
  const again = await account.list(`status=${status}&perPage=1`);
  if (again.total !== count) drift(`${count} campaigns with status ${status}`, String(again.total));
}

/** Sorting and filtering of the list (contract §4.1). */
export const campaignListSearchChecks: readonly ContractCheck[] = [
  {
    id: 'campaign-list.sort-cid',
    clause: '§4.1',
    title: 'The list is sorted by cid, both ways, descending unless asked otherwise',
    needs: ['member'],
    async run(context, formats: Formats) {
      const { rows, first } = await rowsOf(context);
      const cids = rows.map(({ cid }) => cid);
      const isAscending = cids.every((cid, at) => at === 0 || cid > (cids[at - 1] ?? 0));
      if (!isAscending) drift('cids in ascending order', 'another order');
      const newest = await context.account.list('sort=cid&perPage=2');
      const descending = newest.data.map(({ cid }) => cid);
      if (descending.toSorted((left, right) => right - left).join() !== descending.join()) {
        drift('descending order by itself', shown(descending, formats));
      }
      if (rows.length > 1 && descending[0] === first.cid)
        drift('the newest campaign first', shown(descending, formats));
    },
  },
  {
    id: 'campaign-list.sort-name',
    clause: '§4.1',
    title: 'The list is sorted by name, both ways',
    needs: ['member'],
    async run(context, formats: Formats) {
      await rowsOf(context);
      await expectOrderedByName(context, formats);
    },
  },
  {
    id: 'campaign-list.status',
    clause: '§4.1',
    title: 'A status finds the campaigns that have it, and no others',
    needs: ['member'],
    async run(context) {
      const { rows, isWhole } = await rowsOf(context);
      for (const status of [...new Set(rows.map((row) => row.status))].slice(0, maxStatuses)) {
        const page = await context.account.list(`status=${status}&perPage=${largestPage}`);
        const stray = page.data.find((row) => row.status !== status);
        if (stray !== undefined)
          drift(`status ${status} alone`, `campaign ${stray.cid} with ${stray.status}`);
        if (isWhole) await expectCount(context, { status, total: page.total, rows });
      }
    },
  },
  {
    id: 'campaign-list.types',
    clause: '§4.1',
    title: 'Types find the campaigns that have them, and no others; several may be named',
    needs: ['member'],
    run: expectFiltered,
  },
  {
    id: 'campaign-list.query-cid',
    clause: '§4.1',
    title: 'A numeric query finds exactly the campaign of that cid',
    needs: ['member'],
    async run(context, formats: Formats) {
      const { cid } = (await rowsOf(context)).first;
      const { data, total } = await context.account.list(`query=${cid}`);
      if (data.length !== 1 || data[0]?.cid !== cid || total !== 1) {
        drift(
          `campaign ${cid} alone`,
          `${total} campaigns, ${shown(
            data.slice(0, 5).map((row) => row.cid),
            formats,
          )}`,
        );
      }
    },
  },
  {
    id: 'campaign-list.query-absent',
    clause: '§4.1',
    title: 'A numeric query finds nothing where the member has no such cid',
    needs: ['member'],
    async run({ account }) {
      const { data, total } = await account.list(`query=${absentCid}`);
      if (data.length > 0 || total !== 0) drift('no campaign', `${total}`);
    },
  },
  {
    id: 'campaign-list.query-name',
    clause: '§4.1',
    title: 'A text finds campaigns by their names',
    needs: ['member'],
    async run(context, formats: Formats) {
      const { rows, isWhole } = await rowsOf(context);
      const word = rows.flatMap(({ name }) => name.match(/\b[A-Za-z]{4,}\b/g) ?? [])[0];
      if (word === undefined) throw new NotChecked('No campaign has a plain word in its name.');
      const has = ({ name }: { name: string }) => name.toLowerCase().includes(word.toLowerCase());
      const page = await context.account.list(`query=${word}&perPage=${largestPage}`);
      const stray = page.data.find((row) => !has(row));
      if (stray !== undefined) drift(`names with ${shown(word, formats)}`, shown(stray.name, formats));
      const expected = rows.filter((row) => new RegExp(`\\b${word}\\b`).test(row.name)).length;
      if (isWhole && page.total < expected)
        drift(`${expected} names with ${shown(word, formats)}`, String(page.total));
    },
  },
];
