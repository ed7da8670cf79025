import type { z } from 'zod';
import { kindOf, typeOf } from '#shared/campaign/index.ts';
import {
  campaignEditSchema,
  campaignListSchema,
  type CampaignContext,
  type CampaignEdit,
  type CampaignList,
  type CampaignRow,
} from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { type MemberReads, given, NotChecked, once } from './ask.ts';
import { drift, envelopeOf, shaped } from './expect.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** Page size for reading the rows of a complete list (contract §8, perPage). */
export const largestPage = 200;

/** A longer list is read so far. */
const maxPages = 10;

/** Maximum number of complete campaigns that are read: one of each type. */
const maxSamples = 6;

/** One campaign as its list row and as its own read. */
export interface Sample {
  row: CampaignRow;
  campaign: JsonObject;
  edit: CampaignEdit;
  /** The kind on which the type-dependent rules of §2.4 depend. */
  kind: ReturnType<typeof kindOf>;
  context: CampaignContext;
}

/** The campaigns that the member checks share: read once, and withheld if the reading itself drifts. */
export interface Account {
  /** The pages of the list by ascending cid, up to a bound. Throws `Drift`. */
  pages(): Promise<readonly CampaignList[]>;
  /** Reads the pages again: a list that changes meanwhile may not fit together. */
  readPages(): Promise<readonly CampaignList[]>;
  /** Every row that was read, and whether these are all. */
  rows(): Promise<{ rows: readonly CampaignRow[]; isWhole: boolean }>;
  /** One page of the list with this query. Throws `Drift`. */
  list(query: string): Promise<CampaignList>;
  /** One campaign of each type. Throws `Drift`. */
  readSamples(): Promise<readonly Sample[]>;
  samples(): Promise<readonly Sample[]>;
  sample(row: CampaignRow): Promise<Sample>;
}

export function createAccount(member: MemberReads, formats: Formats): Account {
  const list = async (query: string): Promise<CampaignList> =>
    shaped(
      envelopeOf(await member.get(`/campaigns?${query}`), 'member', formats)['data'],
      campaignListSchema,
      'data',
    );
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
    const read = await given(pages(), 'The list could not be read.');
    return { rows: read.flatMap(({ data }) => data), isWhole: (read[0]?.totalPages ?? 0) <= maxPages };
  };
  const sample = async (row: CampaignRow): Promise<Sample> => {
    const answer = await member.get(`/${row.cid}`);
    if (answer.status === 403) drift(`campaign ${row.cid}, which is in the member’s list`, '403');
    const { data } = envelopeOf(answer, 'member', formats);
    const edit: z.output<typeof campaignEditSchema> = shaped(data, campaignEditSchema, 'data');
    const context = { types: edit.campaign_types, settings: edit.settings };
    return { row, campaign: edit.campaign, edit, context, kind: kindOf(typeOf(edit.campaign, context)) };
  };
  const readSamples = once(async () => {
    const samples: Sample[] = [];
    for (const row of oneOfEachType((await rows()).rows).slice(0, maxSamples))
      samples.push(await sample(row));
    if (samples.length === 0) throw new NotChecked('The account has no campaign.');
    return samples;
  });
  return {
    pages,
    readPages,
    rows,
    list,
    readSamples,
    samples: () => given(readSamples(), 'The campaigns could not be read.'),
    sample,
  };
}

function oneOfEachType(rows: readonly CampaignRow[]): CampaignRow[] {
  return [...new Map(rows.map((row) => [row.type_name, row])).values()];
}
