import { dateAfter } from '../settled.ts';
import { type GoodVariation, hasClickUrl, textOf, textsOf } from './variation.ts';

const moreCountries: readonly string[] = ['EE', 'LV', 'LT', 'SI', 'HR', 'GR', 'MT', 'CY', 'IS', 'LI'];

const countryMore: GoodVariation = {
  vary: ({ subject, random }) => {
    const country = random.pick(moreCountries);
    return {
      change: { fields: { geo: [...textsOf(subject, 'geo'), country] } },
      says: random.pick([`Adds ${country}, as agreed.`, `The offer is live in ${country}: adds it.`]),
    };
  },
};

const countryFewer: GoodVariation = {
  vary: ({ subject, random }) => {
    const countries = textsOf(subject, 'geo');
    const dropped = random.pick(countries);
    return {
      change: { fields: { geo: countries.filter((country) => country !== dropped) } },
      says: random.pick([
        `Drops ${dropped}: no conversions there.`,
        `The offer has ended in ${dropped}: drops it.`,
      ]),
    };
  },
};

const deviceMore: GoodVariation = {
  vary: ({ random }) => {
    const [device, other] = random.pick([
      ['mobile', 'tablet'],
      ['desktop', 'tablet'],
    ] as const);
    return {
      before: { devices_enabled: 0, devices: [device] },
      change: { fields: { devices: [device, other] } },
      says: `Adds the device type ${other}: the landing page fits it now.`,
    };
  },
};

/** Another last day, later by less than a week or earlier. */
function endMoved(later: boolean): GoodVariation {
  return {
    vary: ({ subject, random, day }) => {
      const by = later ? random.integer(2, 6) : -random.integer(2, 10);
      const expire = dateAfter({ ...day, date: textOf(subject, 'expire') }, by);
      return {
        change: { fields: { expire } },
        says: later
          ? `Runs ${by} days longer.`
          : `The offer ends ${-by} days earlier, and so does the campaign.`,
      };
    },
  };
}

/** A few hours of the working week on or off. */
function hoursMoved(more: boolean): GoodVariation {
  return {
    vary: ({ subject, random }) => {
      const week = subject.campaign['shedule'] as number[];
      const from = more ? 0 : 1;
      const at = week.flatMap((on, hour) => (on === from ? [hour] : []));
      const moved = new Set(random.some(at, random.integer(3, 6)));
      return {
        change: { fields: { shedule: week.map((on, hour) => (moved.has(hour) ? 1 - on : on)) } },
        says: more
          ? `Adds ${moved.size} hours that convert well.`
          : `Takes out ${moved.size} hours without conversions.`,
      };
    },
  };
}

const otherPath: GoodVariation = {
  fits: hasClickUrl,
  vary: ({ subject, random }) => {
    const address = textOf(subject, 'clickurl');
    const path = random.pick(['/lp/c', '/lp/d', '/welcome', '/offer/3', '/join']);
    const clickurl = address.replace(/^(https?:\/\/[^/?#]+)[^?#]*/, `$1${path}`);
    return { change: { fields: { clickurl } }, says: `The new landing page is at ${path}.` };
  },
};

const otherWords: GoodVariation = {
  fits: ({ kind }) => kind.push || kind.contextual,
  vary: ({ random }) => ({
    change: {
      fields: {
        title: random.pick(['Winter offers', 'New prices today', 'A week only', 'Find your deal']),
        description: random.pick(['A week only', 'New prices every day', 'Compare in two minutes']),
      },
    },
    says: random.pick(['New wording of the ad.', 'Wording B of the test.', null]),
  }),
};

const moreBlocked: GoodVariation = {
  vary: ({ random }) => {
    const addresses = (count: number, from: number): string[] =>
      Array.from({ length: count }, (_each, at) => `203.0.113.${from + at}`);
    const blocked = addresses(random.integer(4, 9), 1);
    const added = addresses(random.integer(1, 3), 100);
    return {
      before: { ip_blocklist: blocked },
      change: { fields: { ip_blocklist: [...blocked, ...added] } },
      says: random.pick(['Blocks addresses that only bots use.', 'Adds to the block list.']),
    };
  },
};

/** Ordinary changes of the traffic, by the names of their cases. */
export const goodTraffic: Readonly<Record<string, GoodVariation>> = {
  'a country more': countryMore,
  'a country fewer': countryFewer,
  'a device more': deviceMore,
  'an end five days later': endMoved(true),
  'an earlier end': endMoved(false),
  'a few hours more': hoursMoved(true),
  'a few hours fewer': hoursMoved(false),
  'another path of the click URL': otherPath,
  'other words': otherWords,
  'more blocked addresses': moreBlocked,
} satisfies Record<string, GoodVariation>;
