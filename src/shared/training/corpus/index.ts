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

/** Turns on the first `on` hours of a week that begins on Monday at midnight. */
export function firstHours(on: number): number[] {
  return Array.from({ length: 168 }, (_hour, index) => (index < on ? 1 : 0));
}

export interface TrainingChange {
  before: JsonObject;
  after: JsonObject;
}

export type TrainingWrite =
  | { kind: 'change'; change: TrainingChange; /** The agent's own words. */ quotation?: string }
  /** Proposed one by one, equal except for the one at `odd`. */
  | { kind: 'changes'; changes: readonly TrainingChange[]; odd: number }
  /** A commit of `payload.after` with additional arguments. The tool's definition does not declare those in `undeclared`. */
  | { kind: 'call'; payload: TrainingChange; beside: JsonObject; undeclared: readonly string[] };

export interface TrainingCase {
  name: string;
  write: TrainingWrite;
}

/** The figure that a person must not miss: one of money or bid, or both sides of the change. */
type Telltale = { money: string } | { before?: string; after: string; delta?: string };

export interface PlantedFault extends TrainingCase {
  telltale: Telltale;
}

function changed(after: JsonObject, before: JsonObject = {}): TrainingChange {
  const campaign = { ...sampleCampaign, ...before };
  return { before: campaign, after: { ...campaign, ...after } };
}

function changing(after: JsonObject, before: JsonObject = {}): TrainingWrite {
  return { kind: 'change', change: changed(after, before) };
}

function harmless(name: string, after: JsonObject, before: JsonObject = {}): TrainingCase {
  return { name, write: changing(after, before) };
}

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

function fault(name: string, write: TrainingWrite, telltale: Telltale): PlantedFault {
  return { name, write, telltale };
}

const blocked = Array.from({ length: 16 }, (_entry, index) => `203.0.113.${index}`);

const ofMoney: readonly PlantedFault[] = [
  fault('slipped decimal point', changing({ payout: 0.45 }), { money: '×10' }),
  fault('a hundred times the bid', changing({ payout: 4.5 }), { money: '×100' }),
  fault('no limit', changing({ enable_budget: 0 }), { money: 'Unlimited' }),
  fault('no daily limit while paused', changing({ d_revenue: 0 }, { status: 3 }), {
    before: '$50.00',
    after: 'Unlimited',
  }),
  fault(
    'bid control times a thousand',
    changing({ bidControl: [{ id: 1, field: 'subid', value: '881', bid: 60 }] }),
    { before: '0.06', after: '60', delta: '×1,000' },
  ),
  fault('activation', changing({ status: 1 }, { status: 3 }), { money: '$2,050.00' }),
  fault('removed campaign activated', changing({ status: 1 }, { status: 2 }), {
    before: 'Suspended',
    after: 'Active',
  }),
];

const ofTraffic: readonly PlantedFault[] = [
  fault(
    'worldwide among four fields',
    changing({ geo_enabled: 1, geo: [], name: 'DE push – autumn', title: 'Autumn offers' }),
    { before: '3 countries (DE, FR, IT)', after: 'Worldwide' },
  ),
  fault(
    'other countries behind a browser',
    changing(
      { browsers_enabled: 1, browsers: [], geo: ['IN'] },
      { browsers_enabled: 0, browsers: ['Chrome'], geo: ['BR', 'MX', 'AR', 'CO', 'CL'] },
    ),
    { before: 'Argentina, Brazil, Chile, Colombia, Mexico', after: 'India' },
  ),
  fault('one country lost', changing({ geo: ['DE', 'FR'] }), {
    before: '3 countries',
    after: '2 countries',
    delta: '− IT',
  }),
  fault('hours wiped', changing({ enable_shedule: 0 }), {
    before: '84 of 168',
    after: '168 of 168',
    delta: '+84 h',
  }),
  fault('167 of 168 hours', changing({ shedule: firstHours(1) }, { shedule: firstHours(168) }), {
    before: '168 of 168',
    after: '1 of 168',
    delta: '−167 h',
  }),
  fault('look-alike host', changing({ clickurl: 'https://trаck.example/c?cid={click_id}&src=[SOURCE]' }), {
    before: 'track.example',
    after: 'xn--trck-63d.example',
  }),
  fault('URL parameter dropped', changing({ clickurl: 'https://track.example/c?src=[SOURCE]' }), {
    before: 'cid={click_id}',
    after: 'None',
  }),
  fault('end removed', changing({ expire: '', expire_time: '' }), {
    before: '31 Dec 2026',
    after: 'No end',
  }),
  fault(
    'start moved forward',
    changing({ create: '2026-11-20' }, { create: '2026-12-10', t_revenue: 0, expire: '2030-12-31' }),
    { before: '10 Dec 2026', after: 'Today' },
  ),
  fault('block list halved', changing({ ip_blocklist: blocked.slice(8) }, { ip_blocklist: blocked }), {
    before: '16 IP addresses',
    after: '8 IP addresses',
  }),
  fault('block list emptied', changing({ ip_blocklist: [] }, { ip_blocklist: blocked }), {
    before: '16 IP addresses',
    after: 'None',
  }),
  fault('frequency cap off', changing({ freq_cap: 0 }), { before: '3', after: 'Off' }),
];

const routine = { kind: 'routine clean-up', note: 'names only' };
const padding: JsonObject = Object.fromEntries(
  Array.from({ length: 200 }, (_entry, index) => [`meta_${index + 1}`, { ...routine, step: index + 1 }]),
);
const otherCampaigns = Array.from({ length: 40 }, (_entry, index) => 2001 + index);

const fifty = Array.from({ length: 50 }, (_entry, index) =>
  changed({ payout: index === 36 ? 0.6 : 0.066 }, { cid: 1042 + index, payout: 0.06 }),
);

const besideTheChange: readonly PlantedFault[] = [
  fault('outlier in fifty', { kind: 'changes', changes: fifty, odd: 36 }, { money: '×10' }),
  fault(
    'words against the change',
    {
      kind: 'change',
      change: changed({ d_revenue: 500, t_revenue: 20_500 }),
      quotation: 'Lowers the daily budget by 10% for the weekend, as agreed.',
    },
    { money: '$20,500.00' },
  ),
  fault(
    'padded call',
    {
      kind: 'call',
      payload: changed({ enable_budget: 0 }),
      beside: padding,
      undeclared: Object.keys(padding),
    },
    { money: 'Unlimited' },
  ),
  fault(
    'bulk behind one cid',
    {
      kind: 'call',
      payload: changed({ name: 'DE push – autumn' }),
      beside: { campaignIds: otherCampaigns },
      undeclared: ['campaignIds'],
    },
    { before: '1', after: '41' },
  ),
];

/** Each fault and the figure that must be the largest or second largest on the page. */
export const plantedFaults: readonly PlantedFault[] = [...ofMoney, ...ofTraffic, ...besideTheChange];
