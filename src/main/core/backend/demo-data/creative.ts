import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { TrafficFormat } from '../tenants/index.ts';
import type { Offer } from './offers.ts';
import type { Random } from './random.ts';

/** Pictures that the service says it hosts; on an example domain, never fetched. */
const imageHost = 'https://images.countersign.example';

/** Title, description and pictures where the format has them; empty values elsewhere. */
export function creative(random: Random, format: TrafficFormat, offer: Offer): JsonObject {
  const hasText = format === 'push' || format === 'contextual' || format === 'native';
  const hasImages = format === 'push' || format === 'native';
  return {
    title: hasText ? random.pick(offer.titles) : '',
    description: hasText ? random.pick(offer.descriptions) : '',
    icon: hasImages ? image(random, offer, { kind: 'icon', width: 192, height: 192 }) : null,
    image: hasImages ? image(random, offer, { kind: 'main', width: 492, height: 328 }) : null,
  };
}

function image(
  random: Random,
  offer: Offer,
  { kind, width, height }: { kind: string; width: number; height: number },
): JsonObject {
  const id = random.integer(100_000, 999_999);
  const slug = offer.domain.replace('.example', '');
  return {
    id,
    url: `${imageHost}/${slug}/${kind}-${id}.webp`,
    width,
    height,
    mime: 'image/webp',
    bytes: random.integer(4_000, 48_000),
  };
}

/** Where a click leads, with the service's macros; empty where the type has no click URL. */
export function clickUrl(random: Random, offer: Offer): string {
  const path = random.pick(['/lp/a', '/lp/b', '/start', '/offer/2', '/go']);
  return `https://go.${offer.domain}${path}?cid={click_id}&zone={zone_id}&cost={cost}&geo={country}`;
}
