import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { kindOf } from '#shared/campaign/index.ts';
import type { TenantType } from '../service.ts';
import type { Random } from '#shared/lib/random.ts';
import type { Offer } from './offers.ts';

const categories = [
  'news',
  'sports',
  'entertainment',
  'technology',
  'downloads',
  'lifestyle',
  'games',
  'finance',
];
const connections = ['wifi', '4g', '5g', 'ethernet'];
const trafficTypes = ['web', 'in-app', 'mainstream'];
const exchanges = [12, 17, 23, 31, 44, 58, 61];

/** Contract §2.4: flag 1 without values targets everything; flag 0 targets the listed values. */
export function targeting(
  random: Random,
  { tenantType, market, target }: { tenantType: TenantType; market: Market; target: DeviceTarget },
): JsonObject {
  const { pricing, popunder } = kindOf(tenantType.type);
  const isCpm = pricing === 'CPM';
  const someOf = <T extends JsonValue>(list: readonly T[], isChosen: boolean): T[] =>
    isChosen ? random.some(list, random.integer(1, 3)) : [];
  return {
    ...selector('geo', market.geo),
    ...selector('os', target.os),
    ...selector('os_versions', target.versions),
    ...selector('browsers', target.browsers),
    ...selector('browser_versions', target.browserVersions),
    ...selector('devices', target.devices),
    ...selector('categories', someOf(categories, isCpm && random.chance(0.5))),
    ...selector('lang', isCpm && random.chance(0.6) ? market.languages : []),
    ...selector('connection', someOf(connections, isCpm && !popunder && random.chance(0.4))),
    ...selector('traffic_type', someOf(trafficTypes, isCpm && !popunder && random.chance(0.3))),
    ...selector('exchanges', someOf(exchanges, isCpm && random.chance(0.5))),
  };
}

function selector(name: string, values: readonly JsonValue[]): JsonObject {
  return { [`${name}_enabled`]: values.length === 0 ? 1 : 0, [name]: [...values] };
}

export interface Market {
  label: string;
  geo: readonly string[];
  languages: readonly string[];
  timezone: string;
  price: number;
}

export const markets: readonly Market[] = [
  { label: 'DE', geo: ['DE'], languages: ['de'], timezone: 'Europe/Berlin', price: 1.4 },
  { label: 'DACH', geo: ['DE', 'AT', 'CH'], languages: ['de'], timezone: 'Europe/Berlin', price: 1.5 },
  { label: 'US', geo: ['US'], languages: ['en', 'es'], timezone: 'America/New_York', price: 1.8 },
  { label: 'UK', geo: ['GB'], languages: ['en'], timezone: 'Europe/London', price: 1.5 },
  { label: 'FR', geo: ['FR'], languages: ['fr'], timezone: 'Europe/Paris', price: 1.2 },
  { label: 'IT', geo: ['IT'], languages: ['it'], timezone: 'Europe/Rome', price: 1 },
  { label: 'ES', geo: ['ES'], languages: ['es'], timezone: 'Europe/Madrid', price: 0.9 },
  {
    label: 'Nordics',
    geo: ['SE', 'NO', 'DK', 'FI'],
    languages: ['sv', 'no', 'da', 'fi'],
    timezone: 'Europe/Stockholm',
    price: 1.6,
  },
  { label: 'PL', geo: ['PL'], languages: ['pl'], timezone: 'Europe/Warsaw', price: 0.7 },
  { label: 'BR', geo: ['BR'], languages: ['pt'], timezone: 'America/Sao_Paulo', price: 0.5 },
  { label: 'MX', geo: ['MX'], languages: ['es'], timezone: 'America/Mexico_City', price: 0.5 },
  {
    label: 'LATAM',
    geo: ['MX', 'CO', 'CL', 'PE', 'AR'],
    languages: ['es'],
    timezone: 'America/Bogota',
    price: 0.45,
  },
  { label: 'IN', geo: ['IN'], languages: ['en', 'hi'], timezone: 'Asia/Kolkata', price: 0.3 },
  { label: 'ID', geo: ['ID'], languages: ['id'], timezone: 'Asia/Jakarta', price: 0.35 },
  { label: 'JP', geo: ['JP'], languages: ['ja'], timezone: 'Asia/Tokyo', price: 1.3 },
  { label: 'AU+NZ', geo: ['AU', 'NZ'], languages: ['en'], timezone: 'Australia/Sydney', price: 1.5 },
  { label: 'CA', geo: ['CA'], languages: ['en', 'fr'], timezone: 'America/Toronto', price: 1.5 },
  { label: 'WW', geo: [], languages: [], timezone: 'UTC', price: 0.8 },
];

export interface DeviceTarget {
  label: string;
  devices: readonly string[];
  os: readonly string[];
  versions: readonly string[];
  browsers: readonly string[];
  browserVersions: readonly string[];
}

const noRestrictions = { devices: [], os: [], versions: [], browsers: [], browserVersions: [] };

export const deviceTargets: readonly DeviceTarget[] = [
  {
    ...noRestrictions,
    label: 'Android 9+',
    devices: ['mobile'],
    os: ['Android'],
    versions: [
      'Android 9',
      'Android 10',
      'Android 11',
      'Android 12',
      'Android 13',
      'Android 14',
      'Android 15',
    ],
  },
  { ...noRestrictions, label: 'Android', devices: ['mobile', 'tablet'], os: ['Android'] },
  {
    ...noRestrictions,
    label: 'Android · Chrome',
    devices: ['mobile'],
    os: ['Android'],
    browsers: ['Chrome Mobile', 'Samsung Internet'],
  },
  {
    ...noRestrictions,
    label: 'iOS',
    devices: ['mobile', 'tablet'],
    os: ['iOS'],
    browsers: ['Mobile Safari'],
  },
  {
    ...noRestrictions,
    label: 'iOS 17+',
    devices: ['mobile'],
    os: ['iOS'],
    versions: ['iOS 17', 'iOS 18', 'iOS 26'],
  },
  { ...noRestrictions, label: 'desktop', devices: ['desktop'], os: ['Windows', 'macOS', 'Linux'] },
  {
    ...noRestrictions,
    label: 'Windows',
    devices: ['desktop'],
    os: ['Windows'],
    versions: ['Windows 10', 'Windows 11'],
    browsers: ['Chrome', 'Edge', 'Firefox'],
    browserVersions: ['Chrome 140', 'Chrome 141', 'Edge 141', 'Firefox 144'],
  },
  { ...noRestrictions, label: 'mobile', devices: ['mobile', 'tablet'] },
  { ...noRestrictions, label: 'all devices' },
];

/** Adds filters that contract §2.4 does not name, so clients must not assume anything about them. */
export function filters(random: Random, offer: Offer): JsonObject {
  const randomList = (probability: number, max: number, makeItem: () => string | number) =>
    random.chance(probability) ? Array.from({ length: random.integer(1, max) }, makeItem) : [];
  return {
    ip_allowlist: [],
    ip_blocklist: randomList(0.25, 6, () => `203.0.113.${random.integer(1, 254)}`),
    domain_allowlist: randomList(0.1, 8, () => `site-${random.integer(100, 999)}.example`),
    domain_blocklist: randomList(0.35, 14, () => `bad-${random.integer(100, 999)}.example`),
    publisher_allowlist: randomList(0.12, 6, () => random.integer(1_000, 9_999)),
    publisher_blocklist: randomList(0.4, 18, () => random.integer(1_000, 9_999)),
    site_app_allowlist: [],
    site_app_blocklist: randomList(0.2, 8, () => `app-${random.integer(10_000, 99_999)}`),
    ssp_blocklist: randomList(0.15, 3, () =>
      random.pick(['ssp-aurora', 'ssp-basalt', 'ssp-cobalt', 'ssp-delta']),
    ),
    bundle_blocklist: randomList(0.15, 5, () => `com.example.app${random.integer(100, 999)}`),
    carrier_allowlist: randomList(0.08, 3, () =>
      random.pick(['Vodafone', 'Telekom', 'Orange', 'Telefonica', 'T-Mobile']),
    ),
    traffic_quality: { min_score: random.pick([0, 20, 35, 50]), exclude_proxy: random.chance(0.7) },
    internal_note: random.chance(0.2) ? `Copied from the ${offer.vertical} set` : '',
  };
}

export function keywords(random: Random, offer: Offer, isContextual: boolean): JsonObject {
  const isOn = isContextual || random.chance(0.06);
  return {
    keywords_enabled: isOn ? 1 : 0,
    keywords_whitelist: isOn ? random.some(offer.keywords, random.integer(2, 4)).join('\n') : '',
    keywords_blocklist: isOn && random.chance(0.5) ? 'free\ncracked\ntorrent' : '',
  };
}

/** Every third rule has a form that contract §2.4 does not show, so clients must not assume anything about it. */
export function bidControls(
  random: Random,
  { payout, minBid, maxBid }: { payout: number; minBid: number; maxBid: number },
): JsonObject[] {
  if (!random.chance(0.4)) return [];
  return Array.from({ length: random.integer(1, 6) }, (_, index) => {
    const factor = random.pick([0.5, 0.7, 0.8, 1.2, 1.5, 2]);
    const id = random.integer(10_000, 99_999);
    const dimension = random.pick(['zone', 'publisher', 'subid']);
    const value = String(random.integer(10_000, 99_999));
    if (index % 3 === 1) return { id, dimension, value, mode: 'multiply', factor, priority: index + 1 };
    const bid = Number((payout * factor).toFixed(4));
    return { source: `${dimension}-${value}`, bid: Math.min(Math.max(bid, minBid), maxBid) };
  });
}
