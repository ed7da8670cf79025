import {
  type CampaignList,
  campaignListSchema,
  statusNames,
  type CampaignRow,
} from '#shared/contract/index.ts';
import { ownWords } from '#shared/lib/sentence.ts';
import {
  absentId,
  type CheckContext,
  checksThatNeed,
  Drift,
  drift,
  given,
  largestPage,
  notChecked,
} from '../check.ts';
import { envelopeOf, expectStatus, expectShape, shown } from '../expect.ts';

const defaultPageSize = 20;

/** Throws `Drift` (contract §2.2). */
function expectFitting(pages: readonly CampaignList[]): void {
  const [first] = pages;
  const rows = pages.flatMap(({ data }) => data);
  const total = first?.total ?? 0;
  const totalPages = Math.ceil(total / largestPage);
  for (const [at, page] of pages.entries()) {
    if (page.currentPage !== at + 1) throw drift`Expected currentPage ${at + 1}; came ${page.currentPage}.`;
    if (page.total !== total) throw drift`Expected total ${total} on every page; came ${page.total}.`;
    // The contract does not define the number of pages of an empty list.
    if (total > 0 && page.totalPages !== totalPages)
      throw drift`Expected totalPages ${totalPages}; came ${page.totalPages}.`;
    const count = Math.min(largestPage, total - at * largestPage);
    if (page.data.length !== count)
      throw drift`Expected ${count} rows on page ${at + 1}; came ${page.data.length}.`;
  }
  if (new Set(rows.map(({ cid }) => cid)).size !== rows.length)
    throw drift`Expected every campaign once; came one of them twice.`;
}

/** GET /login/campaigns/campaigns (contract §2.2, §4.1). */
export const campaignListChecks = checksThatNeed(['member'], {
  'campaign-list.shape': {
    clause: '§2.1, §2.2',
    title: 'The list has the envelope, and every row its fields',
    run: async ({ account }) => void (await account.pages()),
  },
  'campaign-list.pages': {
    clause: '§2.2, §4.1',
    title: 'The pages of the list fit together, and hold every campaign once',
    async run({ account }) {
      try {
        expectFitting(await given(account.pages(), notChecked`The list could not be read.`));
      } catch (failure) {
        if (!(failure instanceof Drift)) throw failure;
        expectFitting(await account.readPages());
      }
    },
  },
  'campaign-list.defaults': {
    clause: '§4.1, §8',
    title: 'The list begins at page 1 with 20 rows',
    async run({ account }) {
      const page = await account.list('');
      const count = Math.min(defaultPageSize, page.total);
      const totalPages = Math.ceil(page.total / defaultPageSize);
      if (page.currentPage !== 1) throw drift`Expected currentPage 1; came ${page.currentPage}.`;
      if (page.data.length !== count) throw drift`Expected ${count} rows; came ${page.data.length}.`;
      if (page.total > 0 && page.totalPages !== totalPages)
        throw drift`Expected totalPages ${totalPages}; came ${page.totalPages}.`;
    },
  },
  'campaign-list.owner': {
    clause: '§1, §4.1',
    title: 'The list holds campaigns of one owner only',
    async run({ account }) {
      const owners = new Set((await account.rows()).rows.map(({ uid }) => uid));
      if (owners.size > 1)
        throw drift`Expected one uid in every row; came ${shown([...owners].slice(0, 5))}.`;
    },
  },
  'campaign-list.status-names': {
    clause: '§3',
    title: 'Every status has its name',
    async run({ account }) {
      for (const { cid, status, status_name: name } of (await account.rows()).rows) {
        const expected = statusNames[status as keyof typeof statusNames];
        if (name.toLowerCase() !== expected.toLowerCase()) {
          throw drift`Expected status ${status} of campaign ${cid} to be called ${ownWords(expected)}; came ${shown(name)}.`;
        }
      }
    },
  },
});

const refusals = [400, 422];

/** Null if the query is refused: a service may refuse or clamp it. */
async function answered({ member }: CheckContext, query: string): Promise<CampaignList | null> {
  const answer = await member.get(`/campaigns?${query}`);
  if (answer.status >= 400) {
    expectStatus(answer, refusals, `to ${query}`);
    return null;
  }
  return expectShape(envelopeOf(answer, 'member')['data'], campaignListSchema, 'data');
}

export const campaignListLimitChecks = checksThatNeed(['member'], {
  'campaign-list.largest-page': {
    clause: '§4.1, §8',
    title: 'A page has at most 200 rows',
    async run(context) {
      const page = await answered(context, `perPage=${largestPage + 1}`);
      if (page === null) return;
      if (page.data.length > largestPage)
        throw drift`Expected at most ${largestPage} rows; came ${page.data.length}.`;
      if (page.total <= largestPage) throw notChecked`The account has too few campaigns to tell.`;
    },
  },
  'campaign-list.smallest-page': {
    clause: '§4.1, §8',
    title: 'A page has at least one row',
    async run(context) {
      const page = await answered(context, 'perPage=0');
      if (page === null || page.total === 0) return;
      const count = page.data.length;
      if (count === 0 || count > largestPage)
        throw drift`Expected a refusal, or 1 to ${largestPage} rows; came ${count}.`;
    },
  },
  'campaign-list.first-page': {
    clause: '§4.1, §8',
    title: 'Pages begin at 1',
    run: async (context) => void (await answered(context, 'page=0')),
  },
  'campaign-list.status-limits': {
    clause: '§4.1, §8',
    title: 'There is no status beyond 4',
    async run(context) {
      const page = await answered(context, 'status=9');
      if (page !== null && page.total > 0)
        throw drift`Expected a refusal, or nothing; came ${page.total} campaigns.`;
    },
  },
  'campaign-list.odd-sort': {
    clause: '§4.1, §7.1',
    title: 'A column or an order that there is not does not break the list',
    async run(context) {
      for (const query of ['sort=no_such_column', 'order=sideways']) {
        const page = await answered(context, query);
        if (page !== null && page.currentPage !== 1)
          throw drift`Expected the first page; came ${shown(page.currentPage)}.`;
      }
    },
  },
});

const maxStatuses = 2;

async function rowsOf({ account }: CheckContext) {
  const { rows, isWhole } = await account.rows();
  const [first] = rows;
  if (first === undefined) throw notChecked`The account has no campaign.`;
  return { rows, first, isWhole };
}

/** The contract defines no exact order of names, so most neighbours must be in order, not all. */
const namesCompared = 50;

async function expectOrderedByName({ account }: CheckContext): Promise<void> {
  const at = async (order: string, page: number) =>
    account.list(`sort=name&order=${order}&perPage=1&page=${page}`);
  const first = await account.list(`sort=name&order=asc&perPage=${namesCompared}`);
  const names = first.data.map(({ name }) => name);
  const collator = new Intl.Collator('en', { sensitivity: 'base' });
  const falls = names.filter((name, at) => at > 0 && collator.compare(names[at - 1] ?? '', name) > 0).length;
  if (falls > names.length / 4) throw drift`Expected names in ascending order; came another order.`;
  const ends = [first, await at('desc', first.total), await at('asc', first.total), await at('desc', 1)];
  const [start, turnedEnd, end, turnedStart] = ends.map(({ data: [row] }) => row?.name);
  if (start !== turnedEnd)
    throw drift`Expected ${shown(start)} at the end of the descending order; came ${shown(turnedEnd)}.`;
  if (end !== turnedStart)
    throw drift`Expected ${shown(end)} at the start of the descending order; came ${shown(turnedStart)}.`;
}

async function expectFiltered({ account }: CheckContext): Promise<void> {
  const samples = await account.samples();
  const [one, other] = samples;
  if (one === undefined || other === undefined) {
    throw notChecked`The account has campaigns of one type only.`;
  }
  const typeOf = ({ campaign }: typeof one) => Number(campaign['type']);
  const totals: number[] = [];
  for (const sample of [one, other]) {
    const page = await account.list(`types=${typeOf(sample)}&perPage=${largestPage}`);
    const { type_name: expected } = sample.row;
    const stray = page.data.find((row) => row.type_name !== expected);
    if (stray !== undefined)
      throw drift`Expected campaigns of ${shown(expected)} alone; came ${shown(stray.type_name)}.`;
    totals.push(page.total);
  }
  const both = await account.list(`types=${typeOf(one)}&types=${typeOf(other)}&perPage=1`);
  const sum = totals.reduce((left, right) => left + right, 0);
  if (both.total !== sum) throw drift`Expected ${sum} campaigns of both types; came ${both.total}.`;
}

/** Campaigns may change during the run, so a different count is read once more. */
async function expectCount(
  { account }: CheckContext,
  { status, total, rows }: { status: number; total: number; rows: readonly CampaignRow[] },
): Promise<void> {
  const countIn = (found: readonly CampaignRow[]) => found.filter((row) => row.status === status).length;
  if (countIn(rows) === total) return;
  const count = countIn((await account.readPages()).flatMap(({ data }) => data));
  const again = await account.list(`status=${status}&perPage=1`);
  if (again.total !== count)
    throw drift`Expected ${count} campaigns with status ${status}; came ${again.total}.`;
}

export const campaignListSearchChecks = checksThatNeed(['member'], {
  'campaign-list.sort-cid': {
    clause: '§4.1',
    title: 'The list is sorted by cid, both ways, descending unless asked otherwise',
    async run(context) {
      const { rows, first } = await rowsOf(context);
      const cids = rows.map(({ cid }) => cid);
      const isAscending = cids.every((cid, at) => at === 0 || cid > (cids[at - 1] ?? 0));
      if (!isAscending) throw drift`Expected cids in ascending order; came another order.`;
      const newest = await context.account.list('sort=cid&perPage=2');
      const descending = newest.data.map(({ cid }) => cid);
      if (descending.toSorted((left, right) => right - left).join() !== descending.join()) {
        throw drift`Expected descending order by itself; came ${shown(descending)}.`;
      }
      if (rows.length > 1 && descending[0] === first.cid)
        throw drift`Expected the newest campaign first; came ${shown(descending)}.`;
    },
  },
  'campaign-list.sort-name': {
    clause: '§4.1',
    title: 'The list is sorted by name, both ways',
    async run(context) {
      await rowsOf(context);
      await expectOrderedByName(context);
    },
  },
  'campaign-list.status': {
    clause: '§4.1',
    title: 'A status finds the campaigns that have it, and no others',
    async run(context) {
      const { rows, isWhole } = await rowsOf(context);
      for (const status of [...new Set(rows.map((row) => row.status))].slice(0, maxStatuses)) {
        const page = await context.account.list(`status=${status}&perPage=${largestPage}`);
        const stray = page.data.find((row) => row.status !== status);
        if (stray !== undefined)
          throw drift`Expected status ${status} alone; came campaign ${stray.cid} with ${stray.status}.`;
        if (isWhole) await expectCount(context, { status, total: page.total, rows });
      }
    },
  },
  'campaign-list.types': {
    clause: '§4.1',
    title: 'Types find the campaigns that have them, and no others; several may be named',
    run: expectFiltered,
  },
  'campaign-list.query-cid': {
    clause: '§4.1',
    title: 'A numeric query finds exactly the campaign of that cid',
    async run(context) {
      const { cid } = (await rowsOf(context)).first;
      const { data, total } = await context.account.list(`query=${cid}`);
      if (data.length !== 1 || data[0]?.cid !== cid || total !== 1) {
        throw drift`Expected campaign ${cid} alone; came ${total} campaigns, ${shown(
          data.slice(0, 5).map((row) => row.cid),
        )}.`;
      }
    },
  },
  'campaign-list.query-absent': {
    clause: '§4.1',
    title: 'A numeric query finds nothing where the member has no such cid',
    async run({ account }) {
      const { data, total } = await account.list(`query=${absentId}`);
      if (data.length > 0 || total !== 0) throw drift`Expected no campaign; came ${total}.`;
    },
  },
  'campaign-list.query-name': {
    clause: '§4.1',
    title: 'A text finds campaigns by their names',
    async run(context) {
      const { rows, isWhole } = await rowsOf(context);
      const word = rows.flatMap(({ name }) => name.match(/\b[A-Za-z]{4,}\b/g) ?? [])[0];
      if (word === undefined) throw notChecked`No campaign has a plain word in its name.`;
      const has = ({ name }: { name: string }) => name.toLowerCase().includes(word.toLowerCase());
      const page = await context.account.list(`query=${word}&perPage=${largestPage}`);
      const stray = page.data.find((row) => !has(row));
      if (stray !== undefined) throw drift`Expected names with ${shown(word)}; came ${shown(stray.name)}.`;
      const expected = rows.filter((row) => new RegExp(`\\b${word}\\b`).test(row.name)).length;
      if (isWhole && page.total < expected)
        throw drift`Expected ${expected} names with ${shown(word)}; came ${page.total}.`;
    },
  },
});
