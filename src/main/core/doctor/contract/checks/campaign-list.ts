import { type CampaignList, campaignListSchema, statusNames } from '#shared/contract/index.ts';
import { largestPage } from '../account.ts';
import { type CheckContext, type ContractCheck } from '../check.ts';
import { drift, envelopeOf, expectStatus, shaped, shown } from '../expect.ts';
import { Drift, given, NotChecked } from '../outcome.ts';
import type { Formats } from '#shared/lib/formats.ts';

const usualPage = 20;

/** Compares the pages of one list with each other (contract §2.2). Throws `Drift`. */
function expectFitting(pages: readonly CampaignList[]): void {
  const [first] = pages;
  const rows = pages.flatMap(({ data }) => data);
  const total = first?.total ?? 0;
  const totalPages = Math.ceil(total / largestPage);
  for (const [at, page] of pages.entries()) {
    if (page.currentPage !== at + 1) drift(`currentPage ${at + 1}`, String(page.currentPage));
    if (page.total !== total) drift(`total ${total} on every page`, String(page.total));
    // The contract does not say if an empty list has one page or none.
    if (total > 0 && page.totalPages !== totalPages)
      drift(`totalPages ${totalPages}`, String(page.totalPages));
    const count = Math.min(largestPage, total - at * largestPage);
    if (page.data.length !== count) drift(`${count} rows on page ${at + 1}`, String(page.data.length));
  }
  if (new Set(rows.map(({ cid }) => cid)).size !== rows.length)
    drift('every campaign once', 'one of them twice');
}

/** GET /login/campaigns/campaigns (contract §2.2, §4.1): its shape, its pages, whose it is. */
export const campaignListChecks: readonly ContractCheck[] = [
  {
    id: 'campaign-list.shape',
    clause: '§2.1, §2.2',
    title: 'The list has the envelope, and every row its fields',
    needs: ['member'],
    run: async ({ account }) => void (await account.pages()),
  },
  {
    id: 'campaign-list.pages',
    clause: '§2.2, §4.1',
    title: 'The pages of the list fit together, and hold every campaign once',
    needs: ['member'],
    async run({ account }) {
      try {
        expectFitting(await given(account.pages(), 'The list could not be read.'));
      } catch (failure) {
        if (!(failure instanceof Drift)) throw failure;
        // A campaign may have been added in between.
        expectFitting(await account.readPages());
      }
    },
  },
  {
    id: 'campaign-list.defaults',
    clause: '§4.1, §8',
    title: 'The list begins at page 1 with 20 rows',
    needs: ['member'],
    async run({ account }) {
      const page = await account.list('');
      const count = Math.min(usualPage, page.total);
      const totalPages = Math.ceil(page.total / usualPage);
      if (page.currentPage !== 1) drift('currentPage 1', String(page.currentPage));
      if (page.data.length !== count) drift(`${count} rows`, String(page.data.length));
      if (page.total > 0 && page.totalPages !== totalPages)
        drift(`totalPages ${totalPages}`, String(page.totalPages));
    },
  },
  {
    id: 'campaign-list.owner',
    clause: '§1, §4.1',
    title: 'The list holds campaigns of one owner only',
    needs: ['member'],
    async run({ account }, formats: Formats) {
      const owners = new Set((await account.rows()).rows.map(({ uid }) => uid));
      if (owners.size > 1) drift('one uid in every row', shown([...owners].slice(0, 5), formats));
    },
  },
  {
    id: 'campaign-list.status-names',
    clause: '§3',
    title: 'Every status has its name',
    needs: ['member'],
    async run({ account }, formats: Formats) {
      for (const { cid, status, status_name: name } of (await account.rows()).rows) {
        const expected = statusNames[status as keyof typeof statusNames];
        if (name.toLowerCase() !== expected.toLowerCase()) {
          drift(`status ${status} of campaign ${cid} to be called ${expected}`, shown(name, formats));
        }
      }
    },
  },
];

/** Status codes with which the member endpoints refuse wrong input (contract §7.1). */
const refusals = [400, 422];

/**
 * The answer to a query beyond the limits: null if it is refused. Whether a service refuses it or keeps to the limit in
 * silence is its own choice.
 */
async function answered(
  { member }: CheckContext,
  query: string,
  formats: Formats,
): Promise<CampaignList | null> {
  const answer = await member.get(`/campaigns?${query}`);
  if (answer.status >= 400) {
    expectStatus(answer, refusals, `to ${query}`);
    return null;
  }
  return shaped(envelopeOf(answer, 'member', formats)['data'], campaignListSchema, 'data');
}

/** The limits of the list (contract §8). */
export const campaignListLimitChecks: readonly ContractCheck[] = [
  {
    id: 'campaign-list.largest-page',
    clause: '§4.1, §8',
    title: 'A page has at most 200 rows',
    needs: ['member'],
    async run(context, formats: Formats) {
      const page = await answered(context, `perPage=${largestPage + 1}`, formats);
      if (page === null) return;
      if (page.data.length > largestPage) drift(`at most ${largestPage} rows`, String(page.data.length));
      if (page.total <= largestPage) throw new NotChecked('The account has too few campaigns to tell.');
    },
  },
  {
    id: 'campaign-list.smallest-page',
    clause: '§4.1, §8',
    title: 'A page has at least one row',
    needs: ['member'],
    async run(context, formats: Formats) {
      const page = await answered(context, 'perPage=0', formats);
      if (page === null || page.total === 0) return;
      const count = page.data.length;
      if (count === 0 || count > largestPage) drift(`a refusal, or 1 to ${largestPage} rows`, String(count));
    },
  },
  {
    id: 'campaign-list.first-page',
    clause: '§4.1, §8',
    title: 'Pages begin at 1',
    needs: ['member'],
    run: async (context, formats: Formats) => void (await answered(context, 'page=0', formats)),
  },
  {
    id: 'campaign-list.status-limits',
    clause: '§4.1, §8',
    title: 'There is no status beyond 4',
    needs: ['member'],
    async run(context, formats: Formats) {
      const page = await answered(context, 'status=9', formats);
      if (page !== null && page.total > 0) drift('a refusal, or nothing', `${page.total} campaigns`);
    },
  },
  {
    id: 'campaign-list.odd-sort',
    clause: '§4.1, §7.1',
    title: 'A column or an order that there is not does not break the list',
    needs: ['member'],
    async run(context, formats: Formats) {
      for (const query of ['sort=no_such_column', 'order=sideways']) {
        const page = await answered(context, query, formats);
        if (page !== null && page.currentPage !== 1)
          drift('the first page', shown(page.currentPage, formats));
      }
    },
  },
];
