import { factorText, isAtLeastTimes, toMicros } from '../../lib/decimal.ts';
import { isJsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import {
  contractFields,
  fieldWords,
  isEntryList,
  typeOf,
  kindOf,
  type FieldEffect,
} from '../../campaign/index.ts';
import { type AmountChange, type Figure, type Mark, quietBelowHalf, type Risk } from './subject.ts';
import type { Formats } from '../../lib/formats.ts';
import { ownWords, sentence } from '../../lib/sentence.ts';

/** Bid controls, whose fields the contract does not show, and fields that it does not name. */
export const unweighedRisk: Risk = ({ changes }, formats: Formats) =>
  changes.flatMap((change): Mark[] => {
    if (change.field === 'bidControl') return [bidControlMark(change, formats)];
    return known.has(change.field) || isList(change) ? [] : [unknownMark(change)];
  });

const known = new Set(contractFields);

function bidControlMark({ before, after }: FieldEffect, formats: Formats): Mark {
  const label = 'Bid controls';
  const [largest] = numbersOf(before, after).toSorted((one, other) => growthOf(other) - growthOf(one));
  if (largest !== undefined && isAtLeastTimes(largest.from, largest.to, 10n)) {
    const figure = { label: 'Bid control', ...inWords(largest, formats) };
    const text = sentence`A bid control becomes ${ownWords(figure.after)} instead of ${ownWords(figure.before)}: the bid may grow with it.`;
    return { code: 'bid_control_tenfold', field: 'bidControl', text, figure };
  }
  const text = sentence`Bid controls may change the bid: check every entry.`;
  const count = (value: unknown): string =>
    Array.isArray(value) ? formats.counted(value.length, 'entry', 'entries') : 'None';
  const figure =
    largest === undefined
      ? { label, before: count(before), after: count(after) }
      : { label: 'Bid control', ...inWords(largest, formats), ...quietBelowHalf(largest) };
  return { code: 'bid_controls', field: 'bidControl', text, figure };
}

const growthOf = ({ from, to }: AmountChange): number => (from > 0 ? to / from : 0);

function inWords({ from, to }: AmountChange, formats: Formats): Pick<Figure, 'before' | 'after' | 'delta'> {
  const factor = factorText(from, to, formats);
  return {
    before: formats.decimal(toMicros(from), 0),
    after: formats.decimal(toMicros(to), 0),
    ...(factor !== null && { delta: factor }),
  };
}

const deepest = 64;

/** Numbers that differ at the same place. */
function numbersOf(before: JsonValue | undefined, after: JsonValue | undefined, depth = 0): AmountChange[] {
  if (typeof before === 'number' && typeof after === 'number') {
    const isChange = before !== after && Number.isFinite(before) && Number.isFinite(after);
    return isChange ? [{ from: before, to: after }] : [];
  }
  if (depth > deepest) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.flatMap((item, index) => numbersOf(item, after[index], depth + 1));
  }
  if (!isJsonObject(before) || !isJsonObject(after)) return [];
  return Object.keys(before).flatMap((key) => numbersOf(own(before, key), own(after, key), depth + 1));
}

/** Assessed by its entries if they are plain. */
function isList({ field, before, after }: FieldEffect): boolean {
  const areLists = [before, after].every((value) => isEntryList(field, value));
  return areLists && Array.isArray(before) === Array.isArray(after);
}

/** Text says little; a number, switch or object may decide anything. */
function unknownMark({ field, before, after }: FieldEffect): Mark {
  const isText = typeof before === 'string' && typeof after === 'string';
  const text = sentence`${fieldWords(field)} is a field that Countersign does not know: it cannot assess the change.`;
  return { code: isText ? 'text_unknown' : 'field_unknown', field, text };
}

/** Without a recognised type no rule of a type was checked. */
export const typeRisk: Risk = ({ changes, after, context }) => [
  ...(changes.some(({ field }) => field === 'type')
    ? [
        {
          code: 'type_changes' as const,
          field: 'type',
          text: sentence`The campaign becomes one of another type.`,
        },
      ]
    : []),
  ...(kindOf(typeOf(after, context)).recognised
    ? []
    : [
        {
          code: 'type_unrecognised' as const,
          text: sentence`Countersign does not recognise this campaign type: no rules of the type were checked.`,
        },
      ]),
];
