import type { z } from 'zod';
import { kindOf, typeOf } from '#shared/campaign/index.ts';
import {
  campaignEditSchema,
  campaignListSchema,
  type CampaignList,
  type CampaignRow,
} from '#shared/contract/index.ts';
import {
  type Account,
  drift,
  given,
  largestPage,
  type MemberReads,
  notChecked,
  once,
  type Sample,
} from './check.ts';
import { envelopeOf, shaped } from './expect.ts';

/** A longer list is read so far. */
const maxPages = 10;

/** Maximum number of complete campaigns that are read: one of each type. */
const maxSamples = 6;

export function createAccount(member: MemberReads): Account {
  const list = async (query: string): Promise<CampaignList> =>
    shaped(envelopeOf(await member.get(`/campaigns?${query}`), 'member')['data'], campaignListSchema, 'data');
  const readPages = async (): Promise<CampaignList[]> => {
    const pages: CampaignList[] = [];
    let last = 1;
    for (let page = 1; page <= Math.min(last, maxPages); page += 1) {
      const read = await list(`sort=cid&order=asc&perPage=${largestPage}&page=${page}`);
      pages.push(read);
      last = read.totalPages;
    }
    return pages;
  };
  const pages = once(readPages);
  const rows = async () => {
    const read = await given(pages(), notChecked`The list could not be read.`);
    return { rows: read.flatMap(({ data }) => data), isWhole: (read[0]?.totalPages ?? 0) <= maxPages };
  };
  const sample = async (row: CampaignRow): Promise<Sample> => {
    const answer = await member.get(`/${row.cid}`);
    if (answer.status === 403)
      throw drift`Expected campaign ${row.cid}, which is in the member’s list; came 403.`;
    const { data } = envelopeOf(answer, 'member');
    const edit: z.output<typeof campaignEditSchema> = shaped(data, campaignEditSchema, 'data');
    const context = { types: edit.campaign_types, settings: edit.settings };
    return { row, campaign: edit.campaign, edit, context, kind: kindOf(typeOf(edit.campaign, context)) };
  };
  const readSamples = once(async () => {
    const samples: Sample[] = [];
    for (const row of oneOfEachType((await rows()).rows).slice(0, maxSamples))
      samples.push(await sample(row));
    if (samples.length === 0) throw notChecked`The account has no campaign.`;
    return samples;
  });
  return {
    pages,
    readPages,
    rows,
    list,
    readSamples,
    samples: () => given(readSamples(), notChecked`The campaigns could not be read.`),
    sample,
  };
}

function oneOfEachType(rows: readonly CampaignRow[]): CampaignRow[] {
  return [...new Map(rows.map((row) => [row.type_name, row])).values()];
}
