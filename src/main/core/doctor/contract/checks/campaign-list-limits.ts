import { campaignListSchema } from '#shared/contract/index.ts';
import type { CampaignList } from '#shared/contract/index.ts';
import { largestPage } from '../account.ts';
import { reads } from '../check.ts';
import type { ReadContext } from '../check.ts';
import { drift, envelopeOf, expectStatus, shaped, shown } from '../expect.ts';
import { NotChecked } from '../outcome.ts';

/** How the member endpoints refuse what is asked wrongly (contract §7.1). */
const refusals = [400, 422];

/**
 * The answer to a query beyond the limits: null where it is refused. Whether a service refuses it or keeps to the limit in
 * silence is its own choice.
 */
async function answered({ member }: ReadContext, query: string): Promise<CampaignList | null> {
  const answer = await member.get(`/campaigns?${query}`);
  if (answer.status >= 400) {
    expectStatus(answer, refusals, `to ${query}`);
    return null;
  }
  return shaped(envelopeOf(answer, 'member')['data'], campaignListSchema, 'data');
}

/** The limits of the list (contract §8). */
export const campaignListLimitChecks = reads([
  {
    id: 'campaign-list.largest-page',
    clause: '§4.1, §8',
    title: 'A page has at most 200 rows',
    needs: ['member'],
    async run(context) {
      const page = await answered(context, `perPage=${largestPage + 1}`);
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
    async run(context) {
      const page = await answered(context, 'perPage=0');
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
    run: async (context) => void (await answered(context, 'page=0')),
  },
  {
    id: 'campaign-list.status-limits',
    clause: '§4.1, §8',
    title: 'There is no status beyond 4',
    needs: ['member'],
    async run(context) {
      const page = await answered(context, 'status=9');
      if (page !== null && page.total > 0) drift('a refusal, or nothing', `${page.total} campaigns`);
    },
  },
  {
    id: 'campaign-list.odd-sort',
    clause: '§4.1, §7.1',
    title: 'A column or an order that there is not does not break the list',
    needs: ['member'],
    async run(context) {
      for (const query of ['sort=no_such_column', 'order=sideways']) {
        const page = await answered(context, query);
        if (page !== null && page.currentPage !== 1) drift('the first page', shown(page.currentPage));
      }
    },
  },
]);
