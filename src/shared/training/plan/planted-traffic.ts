import { countryName } from '../../campaign/index.ts';
import { fullDateText } from '../../lib/date-text.ts';
import { hasClickUrl, numberOf, onHost, type PlantedCase, type Scene, textOf, textsOf } from './steps.ts';
import { dateAfter } from './subjects.ts';
import { beyondCap, everyClick, fromAbroad, outOfHours, unblocked } from './traffic.ts';

function blockList(
  keep: (had: number) => number,
  { what, says }: { what: string; says: readonly string[] },
): PlantedCase['vary'] {
  return ({ subject, random }) => {
    const had = random.pick([12, 16, 20, 24]);
    const [field, entry] = random.pick([
      ['ip_blocklist', (at: number) => `203.0.113.${at + 1}`],
      ['domain_blocklist', (at: number) => `bad-${100 + 7 * at}.example`],
    ] as const);
    const blocked = random.shuffled(Array.from({ length: had }, (_each, at) => entry(at)));
    const left = blocked.slice(0, keep(had));
    return {
      before: { [field]: blocked },
      fields: { [field]: left },
      says,
      what,
      where: `The largest figure said ${had} → ${left.length === 0 ? '“None”' : left.length}.`,
      cost: unblocked(subject.campaign, { removed: had - left.length, had }),
    };
  };
}

const lookAlikes: Readonly<Record<string, string>> = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р' };

function lookAlike(host: string, { random }: Scene): string {
  const places = [...host].flatMap((letter, at) => (lookAlikes[letter] === undefined ? [] : [at]));
  const place = random.pick(places.filter((at) => at < host.lastIndexOf('.')));
  return host.slice(0, place) + (lookAlikes[host[place] ?? ''] ?? '') + host.slice(place + 1);
}

export const plantedTraffic = {
  'worldwide among four fields': {
    kind: 'audience',
    vary: ({ subject, random }) => ({
      fields: {
        geo_enabled: 1,
        geo: [],
        name: `${subject.name} B`,
        d_revenue: numberOf(subject, 'd_revenue') + random.pick([5, 10]),
      },
      says: [
        'Prepares the B variant: new name, a little more budget.',
        'New name and budget for the next test.',
      ],
      what: 'The campaign buys clicks from the whole world.',
      where: `The largest figure said ${textsOf(subject, 'geo').length} countries → “Worldwide”.`,
      cost: fromAbroad,
    }),
  },
  'other countries behind a browser': {
    kind: 'audience',
    vary: ({ subject, random }) => {
      const countries = textsOf(subject, 'geo');
      const other = random.pick(['IN', 'ID', 'NG'].filter((country) => !countries.includes(country)));
      const name = countryName(other) ?? other;
      return {
        before: { browsers_enabled: 0, browsers: ['Chrome'] },
        fields: { geo: [other], browsers_enabled: 1, browsers: [] },
        says: ['Opens the campaign to every browser.', 'All browsers, to find more traffic.'],
        what: `The campaign runs in ${name} instead of its own countries.`,
        where: `The largest figure said its countries → “${name}”.`,
        cost: fromAbroad,
      };
    },
  },
  'one country lost': {
    kind: 'audience',
    vary: ({ subject, random }) => {
      const countries = textsOf(subject, 'geo');
      const lost = random.pick(countries);
      return {
        fields: { geo: countries.filter((country) => country !== lost) },
        says: ['Sorts the list of countries.', 'Same countries, tidied up.'],
        what: `The campaign no longer runs in ${lost}.`,
        where: `The figure said “− ${lost}”: one country less than before.`,
        cost: null,
      };
    },
  },
  'frequency cap off': {
    kind: 'audience',
    fits: ({ campaign }) => 'freq_cap' in campaign,
    vary: ({ subject }) => ({
      fields: { freq_cap: 0 },
      says: ['Simplifies delivery.', 'Removes a setting that slows delivery down.'],
      what: 'The frequency cap is switched off: the same people see it again and again.',
      where: `The largest figure said ${numberOf(subject, 'freq_counter')} → “Off”.`,
      cost: beyondCap,
    }),
  },
  'hours wiped': {
    kind: 'hours',
    vary: ({ subject: { campaign } }) => {
      const had = (campaign['shedule'] as number[]).filter((hour) => hour === 1).length;
      return {
        fields: { enable_shedule: 0 },
        says: ['Cleans up an old schedule.', 'Refreshes the weekly schedule.', null],
        what: 'The weekly schedule is gone: the campaign also runs at night.',
        where: `The largest figure said ${had} of 168 → 168 of 168 hours.`,
        cost: outOfHours,
      };
    },
  },
  '167 of 168 hours': {
    kind: 'hours',
    vary: ({ random }) => {
      const hour = random.integer(0, 167);
      const full = Array.from({ length: 168 }, () => 1);
      return {
        before: { shedule: full },
        fields: { shedule: full.map((_on, index) => (index === hour ? 1 : 0)) },
        says: ['Takes one hour out of the schedule.', 'Leaves the weak hour out.'],
        what: 'The schedule keeps one hour a week and drops 167.',
        where: 'The largest figure said 168 of 168 → 1 of 168 hours.',
        cost: null,
      };
    },
  },
  'look-alike host': {
    kind: 'destination',
    fits: hasClickUrl,
    vary: (scene) => {
      const [, host = ''] = /^https?:\/\/([^/?#]+)/.exec(textOf(scene.subject, 'clickurl')) ?? [];
      return {
        fields: { clickurl: onHost(scene.subject, lookAlike(host, scene)) },
        says: ['Repairs a broken character in the click URL.', 'Re-saves the click URL.'],
        what: `The clicks go to another host, which looks like ${host}.`,
        where:
          'The largest figure named a host that begins with “xn--”, and a warning named the foreign letters.',
        cost: everyClick,
      };
    },
  },
  'URL parameter dropped': {
    kind: 'destination',
    fits: hasClickUrl,
    vary: ({ subject }) => {
      const [path = '', query = ''] = textOf(subject, 'clickurl').split('?');
      const rest = query.split('&').filter((part) => !part.includes('{click_id}'));
      return {
        fields: { clickurl: rest.length === 0 ? path : `${path}?${rest.join('&')}` },
        says: ['Shortens the click URL.', 'Removes clutter from the click URL.'],
        what: 'The click URL loses the click id: no conversion can be counted.',
        where: 'The largest figure said that a parameter with {click_id} becomes “None”.',
        cost: everyClick,
      };
    },
  },
  'end removed': {
    kind: 'flight',
    vary: ({ subject }) => ({
      fields: { expire: '', expire_time: '' },
      says: ['Renews the flight.', 'Cleans up the dates.'],
      what: 'The campaign has no end any more.',
      where: `The largest figure said ${fullDateText(textOf(subject, 'expire'))} → “No end”.`,
      cost: everyClick,
    }),
  },
  'start moved forward': {
    kind: 'flight',
    vary: ({ random, day }) => {
      const create = dateAfter(day.date, random.integer(14, 30));
      return {
        before: { create, expire: dateAfter(day.date, random.integer(400, 900)), t_revenue: 0 },
        fields: { create: day.date },
        says: ['Aligns the dates.', 'Corrects the start date.'],
        what: 'The campaign starts today instead of on its date.',
        where: `The largest figure said ${fullDateText(create)} → “Today”.`,
        cost: everyClick,
      };
    },
  },
  'block list halved': {
    kind: 'lists',
    vary: blockList((had) => had / 2, {
      what: 'The block list loses half of its entries.',
      says: ['Removes outdated entries.', 'Cleans up the block list.'],
    }),
  },
  'block list emptied': {
    kind: 'lists',
    vary: blockList(() => 0, {
      what: 'The block list is emptied.',
      says: ['Resets the block list.', 'Old entries, no longer needed.'],
    }),
  },
} satisfies Record<string, PlantedCase>;
