import { dateText, hasTimeLimit } from './date-text.ts';
import { decimalText } from './decimal.ts';

/** The thousands separator for display: `1,234.50`, `1 234.50`, `1234.50`. The decimal mark is always a point. */
export const numberFormats = ['comma', 'space', 'none'] as const;

export type NumberFormat = (typeof numberFormats)[number];

/** The space is a narrow no-break space (`U+202F`). */
const separators: Readonly<Record<NumberFormat, string>> = { comma: ',', space: '\u202F', none: '' };

function thousandsSeparator(format: NumberFormat): string {
  return separators[format];
}

/**
 * Removes the spaces between thousands of a typed number: `1 234.50` becomes `1234.50`. Any other text, such as
 * `1,234`, stays unchanged.
 */
export function withoutSpaces(typed: string): string {
  return /^\D?\d{1,3}(?:[ \u00A0\u202F]\d{3})+(?:\.\d*)?$/u.test(typed)
    ? typed.replaceAll(/[ \u00A0\u202F]/gu, '')
    : typed;
}

export interface Formats {
  /** A number with at most three decimals: `1,234`, `0.5`. `decimals` sets the exact number of decimals: `0.50`. */
  count: (count: number, decimals?: number) => string;
  /** `1 row`, `2 rows`, `3 entries`. The plural adds an s unless `many` is given. */
  counted: (count: number, one: string, many?: string) => string;
  digits: (digits: string) => string;
  /** Formats micros with at least `leastDecimals` decimals: `2,050.00`, `−0.405`. */
  decimal: (micros: bigint, leastDecimals: number) => string;
  /** An amount of money with at least two decimals, and more if they are not zero: `$50.00`, `$2,050.00`, `$0.125`. */
  money: (micros: bigint) => string;
  /** A bid with at least three decimals: `$0.045`, `$0.450`. */
  bid: (micros: bigint) => string;
  clock: (atMs: number) => string;
  exactClock: (atMs: number) => string;
  /** For example `Fri, 20 Nov 2026`. */
  day: (atMs: number) => string;
  moment: (atMs: number) => string;
  /** `14:02` today, `19 Nov, 14:02` in this year, else `19 Nov 2025, 14:02`. */
  shortMoment: (atMs: number, nowMs: number) => string;
  /** A time for use in a sentence: `at 14:02` today, `on 19 Nov, 14:02` on other days. */
  when: (atMs: number, nowMs: number) => string;
  /** `until 09:40 tomorrow`, `until 14:40`, `12 min left`, `40 s left` or `time is up`. From ten years on, `no time limit`. */
  timeLeft: (untilMs: number, nowMs: number) => string;
}

export interface FormatOptions {
  numbers: NumberFormat;
  /** The IANA name of the zone in which times are shown. Undefined for this computer's zone. */
  zone: string | undefined;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export function createFormats({ numbers, zone }: FormatOptions): Formats {
  const separator = thousandsSeparator(numbers);
  const momentFormat = momentFormatIn(zone);
  const clock = momentFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const date = momentFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' });
  const count: Formats['count'] = (number, decimals) => {
    const fraction =
      decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    return number.toLocaleString('en-US', fraction).replaceAll(',', separator);
  };
  const digits: Formats['digits'] = (text) =>
    separator === '' ? text : text.replace(/\B(?=(\d{3})+$)/g, separator);
  const decimal: Formats['decimal'] = (micros, leastDecimals) => decimalText(micros, leastDecimals, digits);
  const shortMoment: Formats['shortMoment'] = (atMs, nowMs) => {
    const [at, now] = [date(atMs), date(nowMs)];
    return at === now ? clock(atMs) : `${dateText(at, Number(now.slice(0, 4)))}, ${clock(atMs)}`;
  };
  return {
    count,
    counted: (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`,
    digits,
    decimal,
    money: (micros) => withDollar(decimal(micros, 2)),
    bid: (micros) => withDollar(decimal(micros, 3)),
    clock,
    exactClock: momentFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }),
    day: momentFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
    moment: momentFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' }),
    shortMoment,
    when: (atMs, nowMs) => `${date(atMs) === date(nowMs) ? 'at' : 'on'} ${shortMoment(atMs, nowMs)}`,
    timeLeft(untilMs, nowMs) {
      const leftMs = untilMs - nowMs;
      if (leftMs <= 0) return 'time is up';
      if (leftMs < minuteMs) return `${Math.ceil(leftMs / 1_000)} s left`;
      if (leftMs < hourMs) return `${Math.floor(leftMs / minuteMs)} min left`;
      if (!hasTimeLimit(untilMs, nowMs)) return 'no time limit';
      const isTomorrow = date(untilMs) === date(nowMs + dayMs);
      return isTomorrow ? `until ${clock(untilMs)} tomorrow` : `until ${shortMoment(untilMs, nowMs)}`;
    },
  };
}

/** Formats that ignore the user's settings: for the embedded service, the log and programs. */
export const defaultFormats: Formats = createFormats({ numbers: 'comma', zone: undefined });

function momentFormatIn(zone: string | undefined) {
  return (locale: string, options: Intl.DateTimeFormatOptions): ((atMs: number) => string) => {
    // Created on first use: each takes about twenty milliseconds, which would delay the start.
    let made: Intl.DateTimeFormat | null = null;
    return (atMs) => (made ??= new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })).format(atMs);
  };
}

function withDollar(text: string): string {
  return text.startsWith('−') ? `−$${text.slice(1)}` : `$${text}`;
}

export const momentZones = ['computer', 'service', 'utc'] as const;

export interface ShownFormats {
  numbers: NumberFormat;
  moments: (typeof momentZones)[number];
}

export const defaultShownFormats: ShownFormats = { numbers: 'comma', moments: 'computer' };

export function formatsOf({ numbers, moments }: ShownFormats, serviceZone: string): Formats {
  return createFormats({ numbers, zone: { computer: undefined, service: serviceZone, utc: 'UTC' }[moments] });
}
