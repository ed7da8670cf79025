import { contractFields, fieldLabel, isListName, typeOf } from '../fields.ts';
import { kindOf } from '../kind.ts';
import type { FieldEffect } from '../types.ts';
import { amountOf } from '../words/value-in-words.ts';
import type { Mark, Risk } from './subject.ts';

/** What Countersign cannot weigh: bid controls, whose fields the contract does not show, and fields that it does not name. */
export const unweighedRisk: Risk = ({ changes }) =>
  changes.flatMap((change): Mark[] => {
    if (change.field === 'bidControl') return [bidControlMark(change)];
    return known.has(change.field) || isList(change) ? [] : [unknownMark(change)];
  });

const known = new Set(contractFields);

function bidControlMark({ before, after }: FieldEffect): Mark {
  const count = (value: unknown): string =>
    Array.isArray(value) ? amountOf(value.length, { one: 'entry', many: 'entries' }) : 'None';
  return {
    code: 'bid_controls',
    severity: 'warning',
    text: 'Bid controls change: Countersign cannot weigh what they do to the bid. Look at every entry.',
    figure: { label: 'Bid controls', before: count(before), after: count(after) },
  };
}

/** A list is weighed by its entries, as far as these are plain ones: texts, and numbers where its name says that it is a list. */
function isList({ field, before, after }: FieldEffect): boolean {
  const isNamed = isListName(field);
  const isEntry = (value: unknown): boolean =>
    typeof value === 'string' || (isNamed && typeof value === 'number');
  const isOfEntries = (value: unknown): boolean =>
    Array.isArray(value) ? value.every(isEntry) : isNamed && typeof value === 'string';
  return isOfEntries(before) && isOfEntries(after) && Array.isArray(before) === Array.isArray(after);
}

/** Text says little; a number, a switch or a whole object may decide anything. */
function unknownMark({ field, before, after }: FieldEffect): Mark {
  const isText = typeof before === 'string' && typeof after === 'string';
  const text = `${fieldLabel(field)} is a field that Countersign does not know: it cannot weigh the change.`;
  return { code: 'field_unknown', severity: isText ? 'notice' : 'warning', text };
}

/** A type that changes, or that is not recognised, so that no rule of a kind was checked. */
export const typeRisk: Risk = ({ changes, after, context }) => [
  ...(changes.some(({ field }) => field === 'type')
    ? [
        {
          code: 'type_changes',
          severity: 'warning' as const,
          text: 'The campaign becomes one of another type.',
        },
      ]
    : []),
  ...(kindOf(typeOf(after, context)).recognised
    ? []
    : [
        {
          code: 'type_unrecognised',
          severity: 'warning' as const,
          text: 'Countersign does not recognise this campaign type; no rule of a kind was checked.',
        },
      ]),
];
