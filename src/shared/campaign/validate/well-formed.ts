import { inertText } from '../../lib/inert-text.ts';
import type { JsonValue } from '../../lib/json/json-value.ts';
import { isUnchanged, type Rule } from './subject.ts';

/** What changed can be written as JSON that everyone reads the same: no half characters, no number that is none. */
export const checkWellFormed: Rule = (subject, report) => {
  for (const [field, value] of Object.entries(subject.payload)) {
    if (isUnchanged(subject, field) || (field.isWellFormed() && isWellFormed(value))) continue;
    report(field, 'broken_text', `${inertText(field)} holds a broken character or number.`);
  }
};

function isWellFormed(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item));
}
