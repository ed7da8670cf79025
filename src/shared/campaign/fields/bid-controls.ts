import type { CampaignType } from '../../contract/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../../lib/json/json-value.ts';

export type BidLimits = Pick<CampaignType, 'minBid' | 'maxBid'>;

/** A bid control that can be edited: the bid for one traffic source, with the service's names for both members. */
export interface BidControl {
  source: { member: string; value: string | number };
  bid: { member: string; value: number };
}

/** Names of numeric members that are no bid: they identify, order or scale something. */
const nonBidName =
  /(^|_)(id|cid|uid|tid|key|code|type|priority|order|rank|position|factor|weight|percent)$/iu;

/**
 * Reads an object of exactly a source and a bid within the type's limits. Null for any other value, which must stay unchanged
 * (§2.4).
 */
export function bidControlOf(value: JsonValue | undefined, limits: BidLimits | undefined): BidControl | null {
  if (!isJsonObject(value) || limits === undefined) return null;
  const members = Object.entries(value);
  const [one, other] = members;
  if (members.length !== 2 || one === undefined || other === undefined) return null;
  const readings = [readingOf(one, other, limits), readingOf(other, one, limits)];
  const found = readings.filter((reading) => reading !== null);
  return found.length === 1 ? (found[0] ?? null) : null;
}

type Entry = [member: string, value: JsonValue];

function readingOf(source: Entry, bid: Entry, limits: BidLimits): BidControl | null {
  const [sourceMember, sourceValue] = source;
  const [bidMember, bidValue] = bid;
  if (typeof bidValue !== 'number' || nonBidName.test(bidMember) || !isWithin(bidValue, limits)) return null;
  const isSource =
    typeof sourceValue === 'string' ? sourceValue.trim() !== '' : Number.isSafeInteger(sourceValue);
  if (!isSource) return null;
  return {
    source: { member: sourceMember, value: sourceValue as string | number },
    bid: { member: bidMember, value: bidValue },
  };
}

export function isWithin(bid: number, { minBid, maxBid }: BidLimits): boolean {
  return bid >= minBid && bid <= maxBid;
}

export interface BidControlChange {
  control: JsonObject;
  member: string;
  value: number;
}

/** Bids that differ between two lists. Only objects with two members that differ in one number are compared. */
export function changedBids(before: JsonValue | undefined, after: JsonValue | undefined): BidControlChange[] {
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  const isIn = (list: readonly JsonValue[], item: JsonValue): boolean =>
    list.some((one) => jsonEqual(one, item));
  const gone = before.filter((item) => !isIn(after, item));
  return after
    .filter((item) => !isIn(before, item))
    .flatMap((item) => gone.flatMap((control) => changeBetween(control, item)).slice(0, 1));
}

function changeBetween(control: JsonValue, item: JsonValue): BidControlChange[] {
  if (!isJsonObject(control) || !isJsonObject(item)) return [];
  const members = Object.keys(control);
  if (members.length !== 2 || !jsonEqual(members.toSorted(), Object.keys(item).toSorted())) return [];
  const [member, ...others] = members.filter((name) => !jsonEqual(control[name] ?? null, item[name] ?? null));
  const value = member === undefined ? undefined : item[member];
  if (member === undefined || others.length > 0 || typeof value !== 'number') return [];
  return typeof control[member] === 'number' ? [{ control, member, value }] : [];
}

export function bidsToCopy(
  there: { controls: JsonValue | undefined; limits: BidLimits | undefined },
  here: { controls: JsonValue | undefined; limits: BidLimits | undefined },
): BidControlChange[] {
  if (!Array.isArray(there.controls) || !Array.isArray(here.controls)) return [];
  const known = there.controls.flatMap((control) => bidControlOf(control, there.limits) ?? []);
  return here.controls.flatMap((control): BidControlChange[] => {
    const own = bidControlOf(control, here.limits);
    const same = known.filter(
      ({ source, bid }) => jsonEqual({ ...source }, { ...own?.source }) && bid.member === own?.bid.member,
    );
    const [found] = same;
    if (own === null || !isJsonObject(control) || found === undefined || same.length > 1) return [];
    const { member, value } = found.bid;
    return value === own.bid.value ? [] : [{ control, member, value }];
  });
}
