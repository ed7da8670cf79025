import { countryName } from '#shared/campaign/index.ts';
import { fullDateText } from '#shared/lib/date-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { dateAfter } from '../settled.ts';
import { beyondCap, everyClick, fromAbroad, outOfHours, unblocked } from '../traffic.ts';
import {
  hasClickUrl,
  numberOf,
  over,
  type PlantedVariation,
  type Scene,
  textOf,
  textsOf,
} from './variation.ts';

const worldwide: PlantedVariation['vary'] = ({ subject, random }) => {
  const countries = textsOf(subject, 'geo');
  return {
    change: {
      fields: {
        geo_enabled: 1,
        geo: [],
        name: `${subject.name} B`,
        d_revenue: numberOf(subject, 'd_revenue') + random.pick([5, 10]),
      },
    },
    says: random.pick([
      'Prepares the B variant: new name, a little more budget.',
      'New name and budget for the next test.',
    ]),
    wrong: {
      what: 'The campaign buys clicks from the whole world.',
      where: `The largest figure said ${countries.length} countries → “Worldwide”.`,
      costPerDayMicros: fromAbroad(subject.campaign),
    },
  };
};

const countriesReplaced: PlantedVariation['vary'] = ({ subject, random }) => {
  const countries = textsOf(subject, 'geo');
  const other = random.pick(['IN', 'ID', 'NG'].filter((country) => !countries.includes(country)));
  return {
    before: { browsers_enabled: 0, browsers: ['Chrome'] },
    change: { fields: { geo: [other], browsers_enabled: 1, browsers: [] } },
    says: random.pick(['Opens the campaign to every browser.', 'All browsers, to find more traffic.']),
    wrong: {
      what: `The campaign runs in ${countryName(other) ?? other} instead of its own countries.`,
      where: `The largest figure said its countries → “${countryName(other) ?? other}”.`,
      costPerDayMicros: fromAbroad(subject.campaign),
    },
  };
};

const countryLost: PlantedVariation['vary'] = ({ subject, random }) => {
  const countries = textsOf(subject, 'geo');
  const lost = random.pick(countries);
  return {
    change: { fields: { geo: countries.filter((country) => country !== lost) } },
    says: random.pick(['Sorts the list of countries.', 'Same countries, tidied up.']),
    wrong: {
      what: `The campaign no longer runs in ${lost}.`,
      where: `The figure said “− ${lost}”: one country less than before.`,
      costPerDayMicros: null,
    },
  };
};

const capOff: PlantedVariation['vary'] = ({ subject, random }) => ({
  change: { fields: { freq_cap: 0 } },
  says: random.pick(['Simplifies delivery.', 'Removes a setting that slows delivery down.']),
  wrong: {
    what: 'The frequency cap is switched off: the same people see it again and again.',
    where: `The largest figure said ${numberOf(subject, 'freq_counter')} → “Off”.`,
    costPerDayMicros: beyondCap(subject.campaign),
  },
});

const hoursOn = ({ subject: { campaign } }: Scene): number =>
  (campaign['shedule'] as number[]).filter((hour) => hour === 1).length;

const hoursWiped: PlantedVariation['vary'] = (scene) => {
  const had = hoursOn(scene);
  return {
    change: { fields: { enable_shedule: 0 } },
    says: scene.random.pick(['Cleans up an old schedule.', 'Refreshes the weekly schedule.', null]),
    wrong: {
      what: 'The weekly schedule is gone: the campaign also runs at night.',
      where: `The largest figure said ${had} of 168 → 168 of 168 hours.`,
      costPerDayMicros: outOfHours(scene.subject.campaign),
    },
  };
};

const oneHour: PlantedVariation['vary'] = ({ random }) => {
  const hour = random.integer(0, 167);
  const full = Array.from({ length: 168 }, () => 1);
  return {
    before: { shedule: full },
    change: { fields: { shedule: full.map((_on, index) => (index === hour ? 1 : 0)) } },
    says: random.pick(['Takes one hour out of the schedule.', 'Leaves the weak hour out.']),
    wrong: {
      what: 'The schedule keeps one hour a week and drops 167.',
      where: 'The largest figure said 168 of 168 → 1 of 168 hours.',
      costPerDayMicros: null,
    },
  };
};

/** Letters of the Cyrillic script that are drawn like Latin ones. */
const lookAlikes: Readonly<Record<string, string>> = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р' };

/** Another address whose host is drawn nearly or exactly the same. */
const lookAlikeHost: PlantedVariation['vary'] = ({ subject, random }) => {
  const address = textOf(subject, 'clickurl');
  const [, start = '', host = '', rest = ''] = /^(https?:\/\/)([^/?#]+)(.*)$/.exec(address) ?? [];
  const places = [...host].flatMap((letter, at) => (lookAlikes[letter] === undefined ? [] : [at]));
  const place = random.pick(places.filter((at) => at < host.lastIndexOf('.')));
  const other = host.slice(0, place) + (lookAlikes[host[place] ?? ''] ?? '') + host.slice(place + 1);
  return {
    change: { fields: { clickurl: `${start}${other}${rest}` } },
    says: random.pick(['Repairs a broken character in the click URL.', 'Re-saves the click URL.']),
    wrong: {
      what: `The clicks go to another host, which looks like ${host}.`,
      where:
        'The largest figure named a host that begins with “xn--”, and a warning named the foreign letters.',
      costPerDayMicros: everyClick(subject.campaign),
    },
  };
};

const parameterDropped: PlantedVariation['vary'] = ({ subject, random }) => {
  const address = textOf(subject, 'clickurl');
  const [path = '', query = ''] = address.split('?');
  const rest = query.split('&').filter((part) => !part.includes('{click_id}'));
  return {
    change: { fields: { clickurl: rest.length === 0 ? path : `${path}?${rest.join('&')}` } },
    says: random.pick(['Shortens the click URL.', 'Removes clutter from the click URL.']),
    wrong: {
      what: 'The click URL loses the click id: no conversion can be counted.',
      where: 'The largest figure said that a parameter with {click_id} becomes “None”.',
      costPerDayMicros: everyClick(subject.campaign),
    },
  };
};

const endRemoved: PlantedVariation['vary'] = ({ subject, random }) => ({
  change: { fields: { expire: '', expire_time: '' } },
  says: random.pick(['Renews the flight.', 'Cleans up the dates.']),
  wrong: {
    what: 'The campaign has no end any more.',
    where: `The largest figure said ${fullDateText(textOf(subject, 'expire'))} → “No end”.`,
    costPerDayMicros: everyClick(subject.campaign),
  },
});

const startMoved: PlantedVariation['vary'] = ({ subject, random, day }) => {
  const create = dateAfter(day, random.integer(14, 30));
  const before: JsonObject = {
    create,
    expire: dateAfter(day, random.integer(400, 900)),
    t_revenue: 0,
  };
  return {
    before,
    change: { fields: { create: day.date } },
    says: random.pick(['Aligns the dates.', 'Corrects the start date.']),
    wrong: {
      what: 'The campaign starts today instead of on its date.',
      where: `The largest figure said ${fullDateText(create)} → “Today”.`,
      costPerDayMicros: everyClick(over(subject, before)),
    },
  };
};

/** A block list that loses a part of its entries. */
function blockList(keep: (had: number) => number, says: readonly string[]): PlantedVariation['vary'] {
  return ({ subject, random }) => {
    const count = random.pick([12, 16, 20, 24]);
    const [field, entry] = random.pick([
      ['ip_blocklist', (at: number) => `203.0.113.${at + 1}`],
      ['domain_blocklist', (at: number) => `bad-${100 + 7 * at}.example`],
    ] as const);
    const blocked = random.shuffled(Array.from({ length: count }, (_each, at) => entry(at)));
    const left = blocked.slice(0, keep(count));
    return {
      before: { [field]: blocked },
      change: { fields: { [field]: left } },
      says: random.pick(says),
      wrong: {
        what: left.length === 0 ? 'The block list is emptied.' : 'The block list loses half of its entries.',
        where: `The largest figure said ${count} → ${left.length === 0 ? '“None”' : left.length}.`,
        costPerDayMicros: unblocked(subject.campaign, { removed: count - left.length, had: count }),
      },
    };
  };
}

/** Faults of the traffic, by the names of their cases. */
export const plantedTraffic: Readonly<Record<string, PlantedVariation>> = {
  'worldwide among four fields': { kind: 'audience', vary: worldwide },
  'other countries behind a browser': { kind: 'audience', vary: countriesReplaced },
  'one country lost': { kind: 'audience', vary: countryLost },
  'frequency cap off': { kind: 'audience', fits: ({ campaign }) => 'freq_cap' in campaign, vary: capOff },
  'hours wiped': { kind: 'hours', vary: hoursWiped },
  '167 of 168 hours': { kind: 'hours', vary: oneHour },
  'look-alike host': { kind: 'destination', fits: hasClickUrl, vary: lookAlikeHost },
  'URL parameter dropped': { kind: 'destination', fits: hasClickUrl, vary: parameterDropped },
  'end removed': { kind: 'flight', vary: endRemoved },
  'start moved forward': { kind: 'flight', vary: startMoved },
  'block list halved': {
    kind: 'lists',
    vary: blockList((had) => had / 2, ['Removes outdated entries.', 'Cleans up the block list.']),
  },
  'block list emptied': {
    kind: 'lists',
    vary: blockList(() => 0, ['Resets the block list.', 'Old entries, no longer needed.']),
  },
};
