import { decodeSchedule } from '../campaign/index.ts';
import { jsonEqual, type JsonValue } from '../lib/json/json-value.ts';
import { applyOperations } from './apply.ts';
import { listOf, maxMembers, type Member, membersOf } from './lists.ts';
import type { FieldDraft, FieldOperation } from './operation.ts';

export interface DraftedField {
  field: string;
  stored: JsonValue;
  draft: FieldDraft | undefined;
}

/** The draft with these operations. Null if they change nothing. It keeps the start value of the existing draft. */
export function draftOf(
  { field, stored, draft }: DraftedField,
  operations: readonly FieldOperation[],
): FieldDraft | null {
  const applied = applyOperations(field, stored, operations);
  if (applied.kind === 'value' && jsonEqual(applied.value, stored)) return null;
  return { from: draft === undefined ? stored : draft.from, operations: [...operations] };
}

export function draftToSet(drafted: DraftedField, value: JsonValue): FieldDraft | null {
  return draftOf(drafted, [{ kind: 'set', value }]);
}

/**
 * The draft that results in these members. It names members to remove and to add, or the complete list if the order
 * would differ or the changes are too many.
 */
export function draftOfMembers(drafted: DraftedField, members: readonly Member[]): FieldDraft | null {
  const { field, stored } = drafted;
  const there = membersOf(stored);
  if (there !== null && jsonEqual(there.map(String), members.map(String))) return null;
  const next = listOf(members, stored);
  if (there === null || isReplaced(drafted)) return draftToSet(drafted, next);
  const [known, wanted] = [new Set(there.map(String)), new Set(members.map(String))];
  const removed = there.filter((member) => !wanted.has(String(member)));
  const added = members.filter((member) => !known.has(String(member)));
  const operations: FieldOperation[] = [
    ...(removed.length > 0 ? [{ kind: 'removeMembers' as const, members: removed }] : []),
    ...(added.length > 0 ? [{ kind: 'addMembers' as const, members: added }] : []),
  ];
  if (removed.length > maxMembers || added.length > maxMembers) return draftToSet(drafted, next);
  const applied = operations.length > 0 ? applyOperations(field, stored, operations) : null;
  const result = applied?.kind === 'value' ? membersOf(applied.value) : null;
  return result !== null && jsonEqual(result, [...members])
    ? draftOf(drafted, operations)
    : draftToSet(drafted, next);
}

export function draftOfHours(drafted: DraftedField, week: readonly number[]): FieldDraft | null {
  const there = decodeSchedule(drafted.stored);
  if (there === null || isReplaced(drafted)) return draftToSet(drafted, [...week]);
  const hours = (from: number, to: number): number[] =>
    week.flatMap((hour, index) => (there[index] === from && hour === to ? [index] : []));
  const [off, on] = [hours(1, 0), hours(0, 1)];
  const operations: FieldOperation[] = [
    ...(off.length > 0 ? [{ kind: 'removeHours' as const, hours: off }] : []),
    ...(on.length > 0 ? [{ kind: 'addHours' as const, hours: on }] : []),
  ];
  return operations.length === 0 ? null : draftOf(drafted, operations);
}

function isReplaced({ draft }: DraftedField): boolean {
  return draft?.operations.some(({ kind }) => kind === 'set') ?? false;
}
