import type { CampaignContext, CampaignType } from '../../contract/index.ts';
import { toMicros } from '../../lib/decimal.ts';
import { typeWithCode, kindOf } from './fields.ts';
import { targetingDimensions } from './targeting.ts';
import type { CampaignKind } from '../types.ts';
import type { Formats } from '../../lib/formats.ts';

export interface TypeChange {
  applies: string[];
  /**
   * Fields that the current type uses and the new one does not. The service stores and ignores their values, or refuses
   * them.
   */
  ceases: string[];
  bid: { before: string; after: string } | null;
  pricing: { before: string; after: string } | null;
}

/** True if the type uses the field (contract §2.4). Frequency cap and pacing depend on the tenant's settings only. */
export function fieldApplies(
  field: string,
  kind: CampaignKind,
  settings: CampaignContext['settings'],
): boolean {
  const hasClicks = kind.pricing === 'CPC' || kind.pricing === 'CPV';
  const dimension = targetingDimensions.find(({ flag, list }) => flag === field || list === field);
  if (dimension !== undefined) {
    if (dimension.applies === 'always') return true;
    return kind.pricing === 'CPM' && !(dimension.applies === 'cpm-not-popunder' && kind.popunder);
  }
  switch (field) {
    case 'clickurl':
      return hasClicks || !kind.recognised;
    case 'website':
      return kind.pricing === 'CPM' || !kind.recognised;
    case 'title':
    case 'description':
      return kind.contextual || kind.push;
    case 'icon':
    case 'image':
      return kind.push;
    case 'bidControl':
      return settings.enable_bidcontrol && hasClicks;
    case 'freq_cap':
    case 'freq_counter':
      return settings.enable_freq_cap;
    case 'traffic_speed':
    case 'traffic_speed_counter':
      return settings.enable_traffic_speed;
    default:
      return true;
  }
}

const dependent = [
  'clickurl',
  'website',
  'title',
  'description',
  'icon',
  'image',
  'bidControl',
  ...targetingDimensions.map(({ list }) => list),
];

export function typeChange(
  { types, settings }: CampaignContext,
  from: number,
  to: number,
  formats: Formats,
): TypeChange | null {
  const [before, after] = [typeWithCode(types, from), typeWithCode(types, to)];
  if (before === undefined || after === undefined) return null;
  const [old, next] = [kindOf(before), kindOf(after)];
  const uses = (kind: CampaignKind) => (field: string) => fieldApplies(field, kind, settings);
  return {
    applies: dependent.filter((field) => uses(next)(field) && !uses(old)(field)),
    ceases: dependent.filter((field) => uses(old)(field) && !uses(next)(field)),
    bid: differing(bidRange(before, formats), bidRange(after, formats)),
    pricing: differing(before.pricing, after.pricing),
  };
}

function bidRange({ minBid, maxBid }: CampaignType, formats: Formats): string {
  return `${formats.bid(toMicros(minBid))} – ${formats.bid(toMicros(maxBid))}`;
}

function differing(before: string, after: string): { before: string; after: string } | null {
  return before === after ? null : { before, after };
}
