import type { CampaignContext } from '../../contract/index.ts';
import type { JsonObject } from '../../lib/json/json-value.ts';

export const sampleDay = { date: '2026-11-20', zone: 'Europe/Berlin' } as const;

export const sampleContext: CampaignContext = {
  types: { 11: { name: 'CPC Push', pricing: 'CPC', minBid: 0.01, maxBid: 5 } },
  settings: {
    enable_bidcontrol: true,
    enable_freq_cap: true,
    enable_traffic_speed: true,
    edit_clickurl: true,
    min_budget: 10,
    postbackurl: 'https://postback.example/?id={click_id}',
  },
};

/** A running campaign with fields of every kind (contract §2.4). */
export const sampleCampaign: JsonObject = {
  cid: 1042,
  uid: 7,
  name: 'DE push – summer',
  type: 11,
  status: 1,
  payout: 0.045,
  clickurl: 'https://track.example/c?cid={click_id}&src=[SOURCE]',
  website: '',
  title: 'Summer offers',
  description: 'Two weeks only, new prices every day',
  icon: { url: 'https://img.example/icon.png', width: 192, height: 192 },
  image: { url: 'https://img.example/main.png', width: 492, height: 328 },
  enable_budget: 1,
  d_revenue: 50,
  t_revenue: 2050,
  enable_time: 1,
  create: '2026-06-01',
  create_time: '00:00',
  expire: '2026-12-31',
  expire_time: '23:59',
  enable_shedule: 1,
  shedule: Array.from({ length: 168 }, (_hour, index) => (index % 24 >= 8 && index % 24 < 20 ? 1 : 0)),
  shedule_timezone: 'Europe/Berlin',
  freq_cap: 1,
  freq_counter: 3,
  traffic_speed: 1,
  traffic_speed_counter: 5000,
  ...only('geo', ['DE', 'FR', 'IT']),
  ...only('os', ['Android', 'iOS']),
  ...only('devices', ['mobile']),
  ...everything(['os_versions', 'browsers', 'browser_versions', 'categories', 'lang']),
  ...everything(['connection', 'traffic_type', 'exchanges']),
  keywords_enabled: 0,
  keywords_whitelist: '',
  keywords_blocklist: 'casino\nloan',
  bidControl: [{ id: 1, field: 'subid', value: '881', bid: 0.06 }],
  ip_blocklist: ['203.0.113.7', '198.51.100.0/24'],
  domain_whitelist: [],
};

function only(list: string, values: string[]): JsonObject {
  return { [`${list}_enabled`]: 0, [list]: values };
}

function everything(lists: readonly string[]): JsonObject {
  return Object.fromEntries(lists.flatMap((list) => [[`${list}_enabled`, 1] as const, [list, []] as const]));
}

/** Monday midnight first. */
export function firstHours(on: number): number[] {
  return Array.from({ length: 168 }, (_hour, index) => (index < on ? 1 : 0));
}
