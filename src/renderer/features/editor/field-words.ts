import { memberStatusError } from '#shared/campaign/index.ts';
import {
  type CheckedField,
  type FieldDraft,
  type FieldOperation,
  shiftInWords,
} from '#shared/drafts/index.ts';
import { dayAndDateText, isDate } from '#shared/lib/date-text.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { inertText } from '#shared/lib/inert-text.ts';

/** The names of control characters, direction marks and zero-width characters in a text, such as `U+202E`, each once. */
export function invisibleMarks(text: string): string[] {
  const marks = inertText(text).match(/(?<=⟨)U\+[0-9A-F]{4,6}(?=⟩)/gu) ?? [];
  return [...new Set(marks)];
}

/** The reason why a member may not choose a status (contract §3). Undefined if the status is allowed. */
export function refusedStatus(from: number, to: number): string | undefined {
  if (memberStatusError(from, to) === null) return undefined;
  return to === 0 ? 'Set by the service only' : 'needs approval first';
}

/** `+10%, rounded from 0.04955`. Null for an absolute amount. */
export function amountNote(checked: CheckedField | undefined, draft: FieldDraft | undefined): string | null {
  const relative = (draft?.operations ?? []).flatMap(amountWords);
  if (relative.length === 0) return null;
  const rounded = (checked?.notes ?? []).flatMap((note) =>
    note.kind === 'rounded' ? [`rounded from ${note.exact}`] : [],
  );
  return [...relative, ...rounded].join(', ');
}

/** `Sun 6 Dec 2026, 14 days later`. Undefined for a text that is no date. */
export function dateNote(date: string, draft: FieldDraft | undefined, formats: Formats): string | undefined {
  if (!isDate(date)) return undefined;
  const shifts = (draft?.operations ?? []).flatMap((operation) =>
    operation.kind === 'shiftDays' ? [shiftInWords(operation.days, formats)] : [],
  );
  return [dayAndDateText(date), ...shifts].join(', ');
}

function amountWords(operation: FieldOperation): string[] {
  switch (operation.kind) {
    case 'add':
      return [`+${operation.amount}`];
    case 'subtract':
      return [`−${operation.amount}`];
    case 'percent':
      return [
        operation.percent.startsWith('-') ? `−${operation.percent.slice(1)}%` : `+${operation.percent}%`,
      ];
    case 'floor':
      return [`at least ${operation.amount}`];
    case 'cap':
      return [`at most ${operation.amount}`];
    default:
      return [];
  }
}
