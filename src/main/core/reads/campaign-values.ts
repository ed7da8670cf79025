import type { AppOutput } from '#shared/app-api/index.ts';
import { macrosOf } from '#shared/campaign/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { listFields, membersOf, type Member } from '#shared/drafts/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';

/** Values of one list that are named at most. */
const maxValues = 1_000;
/** A longer value is no use as a suggestion. */
const maxLength = 200;

/**
 * Counts in how many campaigns each value of a list and each macro of an address stands. Of campaigns that were not read in full the rows
 * of the list tell their countries.
 */
export function campaignValues(
  campaigns: readonly JsonObject[],
  rows: readonly Pick<CampaignRow, 'cid' | 'geo'>[],
): AppOutput<'campaigns.values'> {
  const lists = new Map<string, Counts<Member>>();
  const macros: Counts<string> = new Map();
  const countsOf = (field: string): Counts<Member> => {
    const counts: Counts<Member> = lists.get(field) ?? new Map();
    lists.set(field, counts);
    return counts;
  };
  for (const campaign of campaigns) {
    for (const field of listFields(campaign)) count(countsOf(field), membersOf(campaign[field]) ?? []);
    count(
      macros,
      ['clickurl', 'website'].flatMap((field) => macrosOf(textOf(campaign[field]))),
    );
  }
  const inFull = new Set(campaigns.map(({ cid }) => cid));
  for (const { cid, geo } of rows) if (!inFull.has(cid)) count(countsOf('geo'), geo);
  return {
    campaigns: campaigns.length,
    lists: Object.fromEntries([...lists].map(([field, counts]) => [field, byFrequency(counts)])),
    macros: byFrequency(macros).map(({ value, campaigns }) => ({ macro: value, campaigns })),
  };
}

type Counts<T extends Member> = Map<string, { value: T; campaigns: number }>;

function count<T extends Member>(counts: Counts<T>, members: readonly T[]): void {
  for (const value of new Set(members)) {
    const key = String(value);
    if (key.length > maxLength) continue;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { value, campaigns: 1 });
    else known.campaigns += 1;
  }
}

function byFrequency<T extends Member>(counts: Counts<T>): { value: T; campaigns: number }[] {
  return [...counts.values()]
    .toSorted(
      (one, other) => other.campaigns - one.campaigns || (String(one.value) < String(other.value) ? -1 : 1),
    )
    .slice(0, maxValues);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
