import type { CampaignContext } from '../../contract/index.ts';
import { type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { toMicros } from '../../lib/decimal.ts';
import { webHost } from '../../lib/web-address.ts';
import { decodeSchedule, hoursOn, hoursPerWeek } from '../time/calendar.ts';
import { effectiveLimit } from '../exposure/index.ts';
import { typeOf, kindOf } from '../fields/fields.ts';
import type { CampaignKind, Money } from '../types.ts';

/** An amount in integer micros as decimal text, or no limit. It is stored and compared in this form. */
export type FactMoney = { kind: 'amount'; micros: string } | { kind: 'unlimited' };

/**
 * Facts of one campaign that decide whether a change is sensible. Null means that the value has a shape that the
 * contract does not define.
 */
export interface CampaignFacts {
  /** The unit that the bid buys. `type` and `stated` are untrusted text; `stated` is the pricing in the tenant's words. */
  buys: { type: string; pricing: CampaignKind['pricing']; stated: string } | null;
  bidMicros: string | null;
  countries: { kind: 'all' } | { kind: 'listed'; entries: string[] } | null;
  /** Active hours of a week. `week` has one digit per hour, Monday first. `week` and `zone` are null without a schedule. */
  hours: { on: number; week: string | null; zone: string | null } | null;
  /**
   * The host of the click URL, else of the website, in lower-case ASCII with its port. `none` if neither field has an
   * address.
   */
  host: { kind: 'host'; host: string } | { kind: 'none' } | null;
  daily: FactMoney;
  total: FactMoney;
}

export interface CampaignFactsChange {
  cid: number;
  before: CampaignFacts;
  after: CampaignFacts | null;
}

export function factsOf(campaign: JsonObject, context: Pick<CampaignContext, 'types'>): CampaignFacts {
  const type = typeOf(campaign, context);
  const bid = own(campaign, 'payout');
  return {
    buys:
      type === undefined ? null : { type: type.name, pricing: kindOf(type).pricing, stated: type.pricing },
    bidMicros: typeof bid === 'number' && Number.isFinite(bid) ? toMicros(bid).toString() : null,
    countries: countriesOf(campaign),
    hours: hoursIn(campaign),
    host: hostOf(campaign),
    daily: moneyOf(effectiveLimit(campaign, 'd_revenue')),
    total: moneyOf(effectiveLimit(campaign, 't_revenue')),
  };
}

function moneyOf(money: Money): FactMoney {
  return money.kind === 'unlimited'
    ? { kind: 'unlimited' }
    : { kind: 'amount', micros: money.micros.toString() };
}

/** A flag of 1 means all countries, 0 those of the list (contract §2.4). */
function countriesOf(campaign: JsonObject): CampaignFacts['countries'] {
  const flag = own(campaign, 'geo_enabled');
  const list = own(campaign, 'geo');
  if (flag === 1) return { kind: 'all' };
  if (flag !== 0 || !Array.isArray(list)) return null;
  const entries = list.flatMap((entry) => textOf(entry) ?? []);
  return entries.length === list.length ? { kind: 'listed', entries: entries.toSorted() } : null;
}

function textOf(entry: JsonValue): string | null {
  return typeof entry === 'string' || typeof entry === 'number' ? String(entry) : null;
}

/** Every hour is on without a schedule, so the zone does not matter. */
function hoursIn(campaign: JsonObject): CampaignFacts['hours'] {
  const flag = own(campaign, 'enable_shedule');
  if (flag === 0) return { on: hoursPerWeek, week: null, zone: null };
  const week = decodeSchedule(own(campaign, 'shedule'));
  if (flag !== 1 || week === null) return null;
  const zone = own(campaign, 'shedule_timezone');
  return { on: hoursOn(week), week: week.join(''), zone: typeof zone === 'string' ? zone : null };
}

/** An unreadable address makes the host unknown, not absent. The other field must not replace it. */
function hostOf(campaign: JsonObject): CampaignFacts['host'] {
  for (const field of ['clickurl', 'website']) {
    const address = own(campaign, field) ?? '';
    if (address === '') continue;
    const host = typeof address === 'string' ? webHost(address) : null;
    return host === null ? null : { kind: 'host', host };
  }
  return { kind: 'none' };
}
