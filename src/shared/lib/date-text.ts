/** The last moment that a date can hold (ECMA-262, §21.4.1.1). */
export const lastMomentMs = 8.64e15;

/** True for a moment since 1970 that a date can hold: only such a one has a text. */
export function isMoment(ms: unknown): ms is number {
  return typeof ms === 'number' && ms >= 0 && ms <= lastMomentMs;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `31 Dec 2026` of a calendar date YYYY-MM-DD, which belongs to no time zone. Any other text stays as it is. */
export function fullDateText(date: string): string {
  const [, year, month = '', day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  const name = months[Number(month) - 1];
  return name === undefined ? date : `${Number(day)} ${name} ${year}`;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `Sat` of a calendar date YYYY-MM-DD. */
export function weekdayText(date: string): string {
  return weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? '';
}

/** `31 Dec` of a calendar date in the current year, `31 Dec 2031` of any other. */
export function dateText(date: string, currentYear: number): string {
  const text = fullDateText(date);
  return text.endsWith(` ${currentYear}`) ? text.slice(0, -5) : text;
}

// One for the process, like the format of numbers: a moment never reads otherwise in two places of one window.
let momentZone: string | undefined;

/** Shows moments in this zone from now on in this process: an IANA name, or undefined for the zone of this computer. */
export function setMomentZone(zone: string | undefined): void {
  momentZone = zone;
}

/** Writes moments in one way, in the zone that is set. */
export interface MomentFormat {
  format(atMs: number): string;
}

/** Makes a format of moments; its zone is that of {@link setMomentZone}. */
export function momentFormat(locale: string, options: Intl.DateTimeFormatOptions): MomentFormat {
  // Made when it is used: some twenty milliseconds each, which a start does not wait for.
  let made: Intl.DateTimeFormat | null = null;
  let zone: string | undefined;
  return {
    format(atMs) {
      if (made === null || zone !== momentZone) {
        zone = momentZone;
        made = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
      }
      return made.format(atMs);
    },
  };
}

const clock = momentFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = momentFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' });

/** `14:02`, in the zone of moments. */
export const clockText = (atMs: number): string => clock.format(atMs);

/** `14:02` today, `19 Nov, 14:02` this year, else `19 Nov 2025, 14:02`; in the zone of moments. */
export function shortMomentText(atMs: number, nowMs: number): string {
  const [at, now] = [day.format(atMs), day.format(nowMs)];
  return at === now ? clockText(atMs) : `${dateText(at, Number(now.slice(0, 4)))}, ${clockText(atMs)}`;
}

/** The moment in a sentence: `at 14:02` today, `on 19 Nov, 14:02` on any other day. */
export function whenText(atMs: number, nowMs: number): string {
  return `${day.format(atMs) === day.format(nowMs) ? 'at' : 'on'} ${shortMomentText(atMs, nowMs)}`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** False from ten years on: such an end stands for none. */
export function hasTimeLimit(untilMs: number, nowMs: number): boolean {
  return untilMs - nowMs <= 3_650 * dayMs;
}

/**
 * How long something waits, in words that do not hurry: `until 09:40 tomorrow`, `until 14:40`, `until 25 Nov, 09:40`, `12 min left`, in
 * the last minute `40 s left`, then `time is up`; `no time limit` from ten years on. In the zone of moments.
 */
export function timeLeftText(untilMs: number, nowMs: number): string {
  const leftMs = untilMs - nowMs;
  if (leftMs <= 0) return 'time is up';
  if (leftMs < minuteMs) return `${Math.ceil(leftMs / 1_000)} s left`;
  if (leftMs < hourMs) return `${Math.floor(leftMs / minuteMs)} min left`;
  if (!hasTimeLimit(untilMs, nowMs)) return 'no time limit';
  const until = shortMomentText(untilMs, nowMs);
  const isTomorrow = day.format(untilMs) === day.format(nowMs + dayMs);
  return isTomorrow ? `until ${clockText(untilMs)} tomorrow` : `until ${until}`;
}

const dateForm = /^\d{4}-\d{2}-\d{2}$/;

/** True if the text is a day that exists, YYYY-MM-DD. */
export function isDate(text: string): boolean {
  if (!dateForm.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
