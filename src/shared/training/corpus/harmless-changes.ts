import type { JsonObject } from '../../lib/json/json-value.ts';
import { changing, type TrainingCase } from './cases.ts';
import { firstHours } from './sample-campaign.ts';

function harmless(name: string, after: JsonObject, before: JsonObject = {}): TrainingCase {
  return { name, write: changing(after, before) };
}

/** Changes of an ordinary day: none of them may show a danger. */
export const harmlessChanges: readonly TrainingCase[] = [
  harmless('a new name', { name: 'DE push – autumn' }),
  harmless('a bid 10% higher', { payout: 0.0495 }),
  harmless('a lower bid', { payout: 0.04 }),
  harmless('a daily budget 20 % higher', { d_revenue: 60 }),
  harmless('a lower daily budget', { d_revenue: 40 }),
  harmless('a total budget a little higher', { t_revenue: 2500 }),
  harmless('a daily budget $1,200 higher', { d_revenue: 6200 }, { d_revenue: 5000, t_revenue: 0 }),
  harmless('a pause', { status: 3 }),
  harmless('a removal', { status: 2 }),
  harmless(
    'a restart at $25 a day without an end',
    { status: 1 },
    { status: 3, d_revenue: 25, t_revenue: 0, enable_time: 0 },
  ),
  harmless('a country more', { geo: ['DE', 'FR', 'IT', 'ES'] }),
  harmless('a country fewer', { geo: ['DE', 'FR'] }),
  harmless('a device more', { devices: ['mobile', 'tablet'] }),
  harmless('an end five days later', { expire: '2027-01-05' }),
  harmless('an earlier end', { expire: '2026-12-24' }),
  harmless('a few hours more', { shedule: firstHours(90) }, { shedule: firstHours(84) }),
  harmless('a few hours fewer', { shedule: firstHours(80) }, { shedule: firstHours(84) }),
  harmless('another path of the click URL', {
    clickurl: 'https://track.example/d?cid={click_id}&src=[SOURCE]',
  }),
  harmless('other words', { title: 'Winter offers', description: 'A week only' }),
  harmless('more blocked addresses', { ip_blocklist: ['203.0.113.7', '198.51.100.0/24', '192.0.2.1'] }),
];
