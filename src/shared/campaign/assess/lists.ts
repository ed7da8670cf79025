import { fieldLabel } from '../fields/labels.ts';
import { dimensionOfFlag, dimensionOfList } from '../targeting.ts';
import type { FieldChange } from '../types.ts';
import { own } from '../../lib/json/own.ts';
import { counted } from '../words/list-words.ts';
import type { Risk } from './subject.ts';

/** Custom targeting that gives way to all values. */
export const wideningRisk: Risk = ({ changes }) =>
  changes.flatMap(({ field, after }) => {
    const dimension = dimensionOfFlag(field);
    if (dimension === undefined || after !== 1) return [];
    const text = `Targeting widens to all ${dimension.many}.`;
    return [{ code: 'targeting_widened', severity: 'warning' as const, text }];
  });

/** Lists that are emptied or lose more than half; a targeting list whose flag says "all" is no list any more. */
export const shrinkingRisk: Risk = ({ changes, after }) =>
  changes.flatMap((change) => {
    const flag = dimensionOfList(change.field)?.flag;
    if (flag !== undefined && own(after, flag) === 1) return [];
    const text = shrinkingText(change);
    return text === null ? [] : [{ code: 'list_shrinks', severity: 'warning' as const, text }];
  });

function shrinkingText({ field, before, after, members }: FieldChange): string | null {
  if (field === 'shedule') return null;
  const label = fieldLabel(field);
  if (isFilledText(before) && after === '' && field.startsWith('keywords_')) return `${label}: emptied.`;
  if (members === null || !Array.isArray(before) || !Array.isArray(after)) return null;
  if (before.length > 0 && after.length === 0) return `${label}: emptied, ${counted(before.length)} removed.`;
  if (members.removed.length * 2 <= before.length) return null;
  return `${label}: ${counted(members.removed.length)} of ${counted(before.length)} removed.`;
}

function isFilledText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
