import type { ReportScope, SliceAddress, SliceGrouping } from '#core/store/report-cache.ts';
import type { ReportQuery, ReportSource } from '#shared/app-api/index.ts';
import { dayNumber } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  addDays,
  comparedRange,
  datesIn,
  daysIn,
  maxRangeDays,
  resolveRange,
  xmlGroupingOf,
  type DayRange,
  type ReportRange,
} from '#shared/reports/index.ts';
import type { QueryDays, RowSlices } from '../worker/messages.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

export interface PlanContext {
  profile: string;
  keyHash: string;
  today: string;
}

export interface ReportPlan {
  scope: ReportScope;
  days: QueryDays;
  countedRange: DayRange;
  /** Sets `includeToday` if the range is only the current day. */
  query: ReportQuery;
  rows: RowSlices;
  /** Daily slices for the series; null if the rows have dates already. */
  series: RowSlices | null;
  slices: SliceAddress[];
}

/** Fails with `validation_failed`. */
export function planReport(asked: ReportQuery, { profile, keyHash, today }: PlanContext): ReportPlan {
  const range = rangeOf(asked.range, today);
  const isToday = range.from === today;
  const query = isToday ? { ...asked, includeToday: true } : asked;
  const incompleteDay = range.to === today ? today : null;
  const counted = query.includeToday || incompleteDay === null ? range : { ...range, to: addDays(today, -1) };
  // The incomplete current day is compared only on request.
  const compared = isToday && !asked.includeToday ? null : comparedRange(counted, query.comparison);
  const shiftDays = compared === null ? 0 : daysIn({ from: compared.from, to: counted.from }) - 1;
  const scope = scopeOf(asked.source, { profile, keyHash });
  const grouping = query.source.kind === 'search' ? 'feed' : xmlGroupingOf(query);
  const dailySlices = (of: SliceGrouping): RowSlices => ({
    current: daySlices(range, of),
    compared: compared && daySlices(compared, of),
    shiftDays,
  });
  const rangeSlices = (of: SliceGrouping): RowSlices => ({
    current: [{ grouping: of, ...counted }],
    compared: compared && [{ grouping: of, ...compared }],
    shiftDays,
  });
  const isDaily = grouping === 'day' || grouping === 'feed';
  const rows = isDaily ? dailySlices(grouping) : rangeSlices(grouping);
  const series = isDaily ? null : dailySlices('day');
  return {
    scope,
    days: { range, compared, incompleteDay },
    countedRange: counted,
    query,
    rows,
    series,
    slices: [
      ...rows.current,
      ...(series?.current ?? []),
      ...(rows.compared ?? []),
      ...(series?.compared ?? []),
    ],
  };
}

/** Days of the range that have begun. Fails with `validation_failed` for none, a reversed range, or too many days. */
export function rangeOf(asked: ReportRange, today: string): DayRange {
  const { from, to } = resolveRange(asked, today);
  if (from > to) throw rangeError('date_to', sentence`The last day must not be before the first one.`);
  if (from > today)
    throw rangeError('date_from', sentence`The first day must not be after today, ${ownWords(today)}.`);
  if (daysIn({ from, to }) > maxRangeDays) {
    throw rangeError('date_to', sentence`A range has at most ${maxRangeDays} days.`);
  }
  return { from, to: to < today ? to : today };
}

function rangeError(field: 'date_from' | 'date_to', message: Sentence): AppError {
  return new AppError('validation_failed', { fields: [{ field, code: 'out_of_range', message }] });
}

export function scopeOf(source: ReportSource, owner: Pick<ReportScope, 'profile' | 'keyHash'>): ReportScope {
  return {
    profile: owner.profile,
    keyHash: owner.keyHash,
    report: source.kind,
    source: source.kind === 'xml' ? source.tid : (source.sid ?? 0),
  };
}

export function daySlices(range: DayRange, grouping: SliceGrouping): SliceAddress[] {
  return datesIn(range).map((day) => ({ grouping, from: day, to: day }));
}

/** The current day and the two days before are read again, because their figures still change. */
const recentDays = 3;
const recentFreshMs = 15 * 60_000;
const defaultFreshMs = 24 * 60 * 60_000;

export function isStale(
  { to }: SliceAddress,
  readAtMs: number,
  { today, nowMs }: { today: string; nowMs: number },
): boolean {
  const freshMs = to > addDays(today, -recentDays) ? recentFreshMs : defaultFreshMs;
  // Uses the absolute difference: after a clock was set back, a read time in the future must not stay fresh forever.
  return Math.abs(nowMs - readAtMs) > freshMs;
}

export interface SliceRequest extends SliceAddress {
  slices: SliceAddress[];
}

/** The answer to a longer range could have several hundred megabytes. */
const maxRequestDays = 31;

/** Joins neighbouring days, from the newest on. Keeps the slice order. */
export function requestsFor(slices: readonly SliceAddress[]): SliceRequest[] {
  const requests: SliceRequest[] = [];
  let openRequest: SliceRequest | null = null;
  for (const slice of slices.toReversed()) {
    const isNext =
      openRequest !== null &&
      openRequest.grouping === slice.grouping &&
      slice.from === slice.to &&
      isDaily(slice) &&
      addDays(slice.to, 1) === openRequest.from &&
      openRequest.slices.length < maxRequestDays;
    if (openRequest !== null && isNext) {
      openRequest.from = slice.from;
      openRequest.slices.unshift(slice);
    } else {
      openRequest = { ...slice, slices: [slice] };
      requests.push(openRequest);
    }
  }
  const positionOf = new Map(slices.map((slice, at) => [slice, at]));
  const firstOf = ({ slices: [first] }: SliceRequest): number => (first && positionOf.get(first)) ?? 0;
  return requests.toSorted((left, right) => firstOf(left) - firstOf(right));
}

export function splitInHalf({ slices }: SliceRequest): SliceRequest[] {
  const middle = Math.ceil(slices.length / 2);
  const halves = [slices.slice(0, middle), slices.slice(middle)].flatMap((half): SliceRequest[] => {
    const [first, last] = [half[0], half.at(-1)];
    return first === undefined || last === undefined ? [] : [{ ...first, to: last.to, slices: half }];
  });
  return halves.length < 2 ? [] : halves;
}

function isDaily({ grouping }: SliceAddress): boolean {
  return grouping === 'day' || grouping === 'feed';
}

const maxDrillDays = 92;

/** Returns the slices of one day, or of the newest counted days (at most 92) for a value. Fails with `validation_failed`. */
export function planDrill(
  { scope, countedRange: counted, query }: ReportPlan,
  { of, by }: { of: { dimension: string; value: string | null }; by: string },
): { slices: SliceAddress[]; newestDays: number | null } {
  const grouping = drillGrouping(query, of.dimension === 'date' ? by : of.dimension);
  if (grouping === null || (scope.report === 'xml' && (of.dimension === 'date') === (by === 'date'))) {
    throw new AppError('validation_failed', {
      fields: [
        {
          field: 'by',
          code: 'not_supported',
          message: sentence`XML traffic is listed by day, country or sub-id.`,
        },
      ],
    });
  }
  if (of.dimension === 'date') {
    if (dayNumber(of.value ?? '') === null) {
      throw new AppError('validation_failed', {
        fields: [{ field: 'of', code: 'invalid', message: sentence`This is not a day.` }],
      });
    }
    const day = of.value ?? '';
    return { slices: [{ grouping, from: day, to: day }], newestDays: null };
  }
  const slices = daySlices(counted, grouping);
  if (slices.length <= maxDrillDays) return { slices, newestDays: null };
  return { slices: slices.slice(-maxDrillDays), newestDays: maxDrillDays };
}

function drillGrouping({ source }: ReportQuery, dimension: string): SliceGrouping | null {
  if (source.kind === 'search') return 'feed';
  return dimension === 'geo' || dimension === 'subid' ? dimension : null;
}
