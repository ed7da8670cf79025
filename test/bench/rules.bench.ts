import { diffCampaigns, exposureOf, validateCampaign } from '#shared/campaign/index.ts';
import { parseStrictJson } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';

const filterEntries = 10_000;
const rounds = 200;

/** One line of the bench: what was measured, beside what is aimed at. */
interface Figure {
  name: string;
  figure: number;
  unit: string;
  /** Null where the figure only stands for comparison. */
  aim: string | null;
}

/** Milliseconds that one call takes, the median of many after a warm-up. */
function medianMs(call: () => unknown): number {
  for (let round = 0; round < rounds; round += 1) call();
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    call();
    return performance.now() - start;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

/** Texts of filter entries; those from `offset` on differ from list to list. */
function entries(offset: number): string[] {
  return Array.from(
    { length: filterEntries },
    (_entry, index) => `site-${(index * 7919 + offset) % 20_011}.example`,
  );
}

/** Measures the rules: validation and diff against their aims, and the strict parser beside JSON.parse. */
export function run(): Promise<Figure[]> {
  const context = exampleContext();
  const campaign = exampleCampaign('push');
  const large = { ...campaign, domain_whitelist: entries(0) };
  const other = { ...campaign, domain_whitelist: entries(500) };
  const text = JSON.stringify(Array.from({ length: 600 }, () => campaign));
  const today = { date: '2026-11-20', time: '14:00', zone: 'UTC' };
  const centuries = {
    ...campaign,
    t_revenue: 0,
    expire: '9999-12-31',
    shedule: Array.from({ length: 168 }, (_hour, index) => (index === 5 ? 1 : 0)),
    shedule_timezone: 'Asia/Tokyo',
  };
  const megabytes = text.length / 2 ** 20;
  const line = (name: string, aim: string | null, call: () => unknown): Figure => ({
    name,
    figure: medianMs(call),
    unit: 'ms',
    aim,
  });
  return Promise.resolve([
    line('validate a full payload', 'under 1', () => validateCampaign(campaign, context, campaign)),
    line('validate, 10,000 filter entries', 'under 1', () => validateCampaign(large, context, other)),
    line('diff, 10,000 filter entries each', 'under 5', () => diffCampaigns(large, other)),
    line('money at risk', 'under 1', () => exposureOf(campaign, today)),
    line('money at risk, a flight of centuries in another zone', 'under 20', () =>
      exposureOf(centuries, today),
    ),
    line('canonical form, 10,000 filter entries', null, () => canonicalJson(large)),
    line(`strict parse, ${megabytes.toFixed(1)} MiB`, 'under 100', () => parseStrictJson(text)),
    line(`JSON.parse, ${megabytes.toFixed(1)} MiB`, null, () => JSON.parse(text) as unknown),
  ]);
}
