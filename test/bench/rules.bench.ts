import { diffCampaigns, exposureOf, validateCampaign } from '#shared/campaign/index.ts';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { assessed } from '#test/fixtures/assessed.ts';
import { exampleCampaign, exampleContext } from '#test/fixtures/campaign.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const filterEntries = 10_000;
const usualRounds = 200;

interface Figure {
  name: string;
  figure: number;
  unit: string;
  /** Null if the figure is only for comparison. */
  aim: string | null;
}

/** Texts that could make a parser read the same part repeatedly: [case name, prefix, repeated part, suffix]. */
const repetitions: [string, string, string, string][] = [
  ['digits', '', '9', ''],
  ['zeros before the point', '1', '0', ''],
  ['zeros before a digit', '0.', '0', '1'],
  ['zeros after a digit', '0.1', '0', ''],
  ['digits after the point', '0.', '9', ''],
  ['digits of an exponent', '1e', '9', ''],
  ['digits of a negative exponent', '1e-', '9', ''],
  ['digits of an exponent of zero', '0e-', '9', ''],
  ['zeros of an exponent', '1e-', '0', '1'],
];

function numberMs(text: string): number {
  return medianMs(() => {
    try {
      parseStrictJson(`{"a":${text}}`);
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
    }
  }, 5);
}

/** Measures a short text and a text four times as long. Linear work takes four times as long. */
function shortAndLong(
  name: string,
  unit: string,
  shortCount: number,
  msOf: (count: number) => number,
): Figure[] {
  const longCount = 4 * shortCount;
  const counted = (count: number): string => `${name}, ${count.toLocaleString('en-US')} ${unit}`;
  const shortMs = msOf(shortCount);
  const aim = `about ${(4 * shortMs).toFixed(1)}: linear`;
  return [
    { name: counted(shortCount), figure: shortMs, unit: 'ms', aim: null },
    { name: counted(longCount), figure: msOf(longCount), unit: 'ms', aim },
  ];
}

function medianMs(call: () => unknown, rounds = usualRounds): number {
  for (let round = 0; round < rounds; round += 1) call();
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    call();
    return performance.now() - start;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

/** Makes filter entries. Lists with different offsets have different entries. */
function entries(offset: number): string[] {
  return Array.from(
    { length: filterEntries },
    (_entry, index) => `site-${(index * 7919 + offset) % 20_011}.example`,
  );
}

/** Measures validation and diff against their aims, and the strict parser against JSON.parse. */
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
    line('validate a full payload', 'under 1', () =>
      validateCampaign(campaign, context, campaign, defaultFormats),
    ),
    line('validate, 10,000 filter entries', 'under 1', () =>
      validateCampaign(large, context, other, defaultFormats),
    ),
    line('diff, 10,000 filter entries each', 'under 5', () => diffCampaigns(large, other)),
    line('money at risk', 'under 1', () => exposureOf(campaign, today)),
    line('money at risk, a flight of centuries in another zone', 'under 20', () =>
      exposureOf(centuries, today),
    ),
    line('canonical form, 10,000 filter entries', null, () => canonicalJson(large)),
    line(`strict parse, ${megabytes.toFixed(1)} MiB`, 'under 100', () => parseStrictJson(text)),
    line(`JSON.parse, ${megabytes.toFixed(1)} MiB`, null, () => JSON.parse(text) as unknown),
    ...repetitions.flatMap(([what, before, repeated, after]) =>
      shortAndLong('strict parse', what, 1_000_000, (count) =>
        numberMs(`${before}${repeated.repeat(count)}${after}`),
      ),
    ),
    ...shortAndLong('assess a change to a text', 'addresses without a host', 30_000, (count) => {
      const note = 'https://'.repeat(count);
      return medianMs(() => assessed(campaign, { ...campaign, x_note: note }), 5);
    }),
  ]);
}
