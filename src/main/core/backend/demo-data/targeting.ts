import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { kindOf } from '#shared/campaign/index.ts';
import type { TenantType } from '../tenants/index.ts';
import type { DeviceTarget } from './devices.ts';
import type { Market } from './markets.ts';
import type { Random } from './random.ts';

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

/** Every flag with its list (contract §2.4): 1 and nothing for all, 0 and values for some. */
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
