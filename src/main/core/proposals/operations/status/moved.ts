import { moneyText, type ChangeView, type Exposure } from '#shared/campaign/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { formatMoney, toMicros } from '#shared/lib/decimal.ts';
import { comparedFields, storedExposure, type ComparedField, type StatusTarget } from './base.ts';
import { aboutCampaign, rowChange, statusInWords } from './words.ts';

/** What of a campaign's list row is no longer what was shown. */
export function movedInRow(target: StatusTarget, now: StatusTarget['row'], isOne: boolean): ChangeView[] {
  return comparedFields
    .filter((field) => target.row[field] !== now[field])
    .map((field) => ({
      ...rowChange(target, isOne, field),
      before: inWords(field, target.row[field]),
      after: inWords(field, now[field]),
    }));
}

/** What of the money at risk after the change is no longer what was shown; both counted at one moment. */
export function movedMoney(target: StatusTarget, now: Exposure, isOne: boolean): ChangeView[] {
  const shown = target.exposure.after;
  if (canonicalJson(storedExposure(shown)) === canonicalJson(storedExposure(now))) return [];
  return moneyFields
    .map(({ field, label, words }) => ({
      ...aboutCampaign(target, isOne, { field, label }),
      before: words(shown),
      after: words(now),
    }))
    .filter(({ before, after }) => before !== after);
}

const moneyFields: readonly { field: string; label: string; words(exposure: Exposure): string }[] = [
  { field: 'perDay', label: 'Money at risk per day', words: ({ perDay }) => moneyText(perDay).text },
  { field: 'startsOn', label: 'First day', words: ({ startsOn }) => startsOn ?? 'At once' },
  {
    field: 'untilEnd',
    label: 'Money at risk until the end',
    words: ({ untilEnd }) => moneyText(untilEnd).text,
  },
  { field: 'endsOn', label: 'Last day', words: ({ endsOn }) => endsOn ?? 'No end' },
];

function inWords(field: ComparedField, value: number): string {
  return field === 'status' ? statusInWords(value) : formatMoney(toMicros(value));
}
