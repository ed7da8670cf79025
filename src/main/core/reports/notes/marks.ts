import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Profile } from '#core/profiles/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import {
  maxMarks,
  type AppHandlers,
  type Mark,
  type MarkFigures,
  type MarkTarget,
} from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { addDays, daysIn, type DayRange } from '#shared/reports/index.ts';
import type { DaySumsReader } from './day-sums.ts';
import { sentence } from '#shared/lib/sentence.ts';

export interface MarksOptions {
  store: Pick<AppStore, 'reportMarks' | 'transaction'>;
  figures: Pick<DaySumsReader, 'sumsOf'>;
  /** The active profile. */
  profile(): Pick<Profile, 'id' | 'zone'>;
  clock: Clock;
  serviceClock: Pick<Clock, 'nowMs'>;
  ids: Ids;
  onChange(): void;
}

/** Marks of values, with their figures then and now (`reports.marks.*` of the app API). Nothing here sends a request. */
export type Marks = Pick<
  AppHandlers,
  'reports.marks.list' | 'reports.marks.set' | 'reports.marks.remove' | 'reports.marks.now'
>;

export function createMarks(options: MarksOptions): Marks {
  const { store, figures, profile, clock, serviceClock, ids, onChange } = options;
  const rows = store.reportMarks;

  async function figuresOf(
    profileId: string,
    { source, dimension, value }: MarkTarget,
    range: DayRange,
  ): Promise<MarkFigures | null> {
    const { sums, complete } = await figures.sumsOf({
      profileId,
      source,
      only: { dimension, value },
      range,
    });
    return Object.keys(sums).length === 0 ? null : { range, sums, complete };
  }

  /** Returns a range of complete days until yesterday, as long as the one the value was marked with. */
  function rangeNow({ figuresThen }: Mark, zone: string): DayRange {
    const to = addDays(serviceDay(serviceClock.nowMs(), zone).date, -1);
    return { from: addDays(to, 1 - (figuresThen === null ? 7 : daysIn(figuresThen.range))), to };
  }

  return {
    'reports.marks.list': async () => ({ items: rows.all(profile().id) }),
    async 'reports.marks.set'({ target, sign, note, range }) {
      if (sign === 'note' && note === '') {
        throw new AppError('validation_failed', {
          fields: [{ field: 'note', code: 'required', message: sentence`Enter a note, or choose a sign.` }],
        });
      }
      const { id: profileId } = profile();
      const figuresThen = await figuresOf(profileId, target, range);
      const mark = store.transaction(() => {
        const marks = rows.all(profileId);
        const before = marks.find((one) => isSameTarget(one, target));
        if (before === undefined && marks.length >= maxMarks) throw new AppError('mark_limit');
        // Another note is not another judgement: it keeps the figures, and the time, of the one that was made.
        const judged = before?.sign === sign ? before : { markedAtMs: clock.nowMs(), figuresThen };
        const made = {
          ...target,
          id: before?.id ?? ids.id(),
          sign,
          note,
          markedAtMs: judged.markedAtMs,
          figuresThen: judged.figuresThen,
        };
        rows.put(profileId, made);
        return made;
      });
      onChange();
      return mark;
    },
    async 'reports.marks.remove'({ ids: gone }) {
      const { id: profileId } = profile();
      store.transaction(() => gone.forEach((id) => rows.remove(profileId, id)));
      onChange();
      return null;
    },
    async 'reports.marks.now'({ ids: wanted }) {
      const { id: profileId, zone } = profile();
      const marks = rows.all(profileId).filter(({ id }) => wanted.includes(id));
      const items = [];
      for (const mark of marks) {
        items.push({ id: mark.id, figures: await figuresOf(profileId, mark, rangeNow(mark, zone)) });
      }
      return { items };
    },
  };
}

function isSameTarget(left: MarkTarget, right: MarkTarget): boolean {
  return (
    left.dimension === right.dimension &&
    left.value === right.value &&
    JSON.stringify(left.source) === JSON.stringify(right.source)
  );
}
