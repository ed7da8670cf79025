import type { AppOutput } from '#shared/app-api/index.ts';
import { macrosOf } from '#shared/campaign/index.ts';
import { membersOf, type Member } from '#shared/drafts/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';

/** Values of one list that are named at most. */
const maxValues = 1_000;
/** A longer value is no use as a suggestion. */
const maxLength = 200;

/** Counts in how many of these campaigns each value of a list and each macro of an address stands. */
export function seenValues(campaigns: readonly JsonObject[]): AppOutput<'campaigns.seenValues'> {
  const values = new Map<string, Counts<Member>>();
  const macros: Counts<string> = new Map();
  for (const campaign of campaigns) {
    for (const [field, value] of Object.entries(campaign)) {
      if (!Array.isArray(value)) continue;
      const counts = values.get(field) ?? new Map<string, { value: Member; campaigns: number }>();
      values.set(field, counts);
      count(counts, membersOf(value) ?? []);
    }
    count(macros, [
      ...new Set(['clickurl', 'website'].flatMap((field) => macrosOf(textOf(campaign[field])))),
    ]);
  }
  return {
    campaigns: campaigns.length,
    values: Object.fromEntries([...values].map(([field, counts]) => [field, byFrequency(counts)])),
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
