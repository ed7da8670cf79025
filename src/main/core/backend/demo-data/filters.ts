import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { Offer } from './offers.ts';
import type { Random } from './random.ts';

/**
 * Traffic filters. The contract does not show their names (§2.4), so these are the embedded service's own and no client
 * may know them: they are kept as they are.
 */
export function filters(random: Random, offer: Offer): JsonObject {
  const list = (share: number, most: number, member: () => string | number) =>
    random.chance(share) ? Array.from({ length: random.integer(1, most) }, member) : [];
  return {
    ip_allowlist: [],
    ip_blocklist: list(0.25, 6, () => `203.0.113.${random.integer(1, 254)}`),
    domain_allowlist: list(0.1, 8, () => `site-${random.integer(100, 999)}.example`),
    domain_blocklist: list(0.35, 14, () => `bad-${random.integer(100, 999)}.example`),
    publisher_allowlist: list(0.12, 6, () => random.integer(1_000, 9_999)),
    publisher_blocklist: list(0.4, 18, () => random.integer(1_000, 9_999)),
    site_app_allowlist: [],
    site_app_blocklist: list(0.2, 8, () => `app-${random.integer(10_000, 99_999)}`),
    ssp_blocklist: list(0.15, 3, () => random.pick(['ssp-aurora', 'ssp-basalt', 'ssp-cobalt', 'ssp-delta'])),
    bundle_blocklist: list(0.15, 5, () => `com.example.app${random.integer(100, 999)}`),
    carrier_allowlist: list(0.08, 3, () =>
      random.pick(['Vodafone', 'Telekom', 'Orange', 'Telefonica', 'T-Mobile']),
    ),
    traffic_quality: { min_score: random.pick([0, 20, 35, 50]), exclude_proxy: random.chance(0.7) },
    internal_note: random.chance(0.2) ? `Copied from the ${offer.vertical} set` : '',
  };
}

/** Keyword switch and lists: text, one keyword per line. */
export function keywords(random: Random, offer: Offer, isContextual: boolean): JsonObject {
  const isOn = isContextual || random.chance(0.06);
  return {
    keywords_enabled: isOn ? 1 : 0,
    keywords_whitelist: isOn ? random.some(offer.keywords, random.integer(2, 4)).join('\n') : '',
    keywords_blocklist: isOn && random.chance(0.5) ? 'free\ncracked\ntorrent' : '',
  };
}

/** Bid controls: rules of the service's own, as a buyer collects them for good and bad zones. */
export function bidControls(random: Random, payout: number): JsonObject[] {
  if (!random.chance(0.4)) return [];
  return Array.from({ length: random.integer(1, 6) }, (_, index) => {
    const factor = random.pick([0.5, 0.7, 0.8, 1.2, 1.5, 2]);
    return {
      id: random.integer(10_000, 99_999),
      dimension: random.pick(['zone', 'publisher', 'subid']),
      value: String(random.integer(10_000, 99_999)),
      mode: 'multiply',
      factor,
      bid: Number((payout * factor).toFixed(4)),
      priority: index + 1,
    };
  });
}
