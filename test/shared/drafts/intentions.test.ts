import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyOperations,
  draftOf,
  draftOfHours,
  draftOfMembers,
  draftToSet,
  fieldDraftSchema,
  membersOf,
  type FieldDraft,
  type FieldOperation,
  type Member,
} from '#shared/drafts/index.ts';
import { maxMembers } from '#shared/drafts/lists.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';

const drafted = (stored: JsonValue, draft?: FieldDraft) => ({ field: 'publisher_blocklist', stored, draft });

function after(stored: JsonValue, draft: FieldDraft | null): JsonValue {
  if (draft === null) return stored;
  const applied = applyOperations('publisher_blocklist', stored, draft.operations);
  if (applied.kind === 'problem') throw new Error(applied.code);
  return applied.value;
}

describe('the draft of a list', () => {
  test('states what to add and remove, so that it applies to a list that others change', () => {
    const draft = draftOfMembers(drafted([1, 2, 3]), [1, 3, 4]);
    expect(draft?.operations).toEqual([
      { kind: 'removeMembers', members: [2] },
      { kind: 'addMembers', members: [4] },
    ]);
    expect(after([1, 2, 3, 9], draft)).toEqual([1, 3, 9, 4]);
  });

  test('sets the whole list if the order or the number of duplicates changes', () => {
    expect(draftOfMembers(drafted(['a', 'a', 'b']), ['a', 'b'])?.operations).toEqual([
      { kind: 'set', value: ['a', 'b'] },
    ]);
  });

  test('sets the whole list if too many entries change for one operation', () => {
    const many = Array.from({ length: maxMembers + 1 }, (_, index) => index);
    const cases: [Member[], Member[]][] = [
      [many, []],
      [[], many],
      [['a'], ['a', ...many]],
    ];
    for (const [there, wanted] of cases) {
      const draft = draftOfMembers(drafted(there), wanted);
      expect(fieldDraftSchema.safeParse(draft).success).toBe(true);
      expect(after(there, draft)).toEqual(wanted);
    }
    expect(draftOfMembers(drafted([]), many.slice(1))?.operations).toMatchObject([{ kind: 'addMembers' }]);
  });

  test('does not exist if nothing differs', () => {
    expect(draftOfMembers(drafted(['a', 'b']), ['a', 'b'])).toBeNull();
    expect(draftToSet(drafted('x'), 'x')).toBeNull();
  });

  const replaced: FieldDraft = { from: 'a, b', operations: [{ kind: 'set', value: 'c' }] };
  test.each<[string, string, Member[], FieldDraft | undefined, JsonValue]>([
    ['fewer duplicates', 'a, b, b', ['a', 'b'], undefined, 'a, b'],
    ['another order', 'a;b', ['b', 'a'], undefined, 'b;a'],
    ['lines', 'a\r\nb\r\nb', ['a', 'b'], undefined, 'a\r\nb'],
    ['one left, and another added', 'a, b', ['a', 'c'], undefined, 'a, c'],
    ['every entry removed, and others added', 'a;b', ['c', 'd'], undefined, 'c;d'],
    ['more in a list that was replaced', 'a, b', ['c', 'd'], replaced, 'c, d'],
    ['the original entries of mixed separators', 'a,b,  c', ['a', 'b', 'c'], undefined, 'a,b,  c'],
    ['the original entries after a replacement', 'a, b', ['a', 'b'], replaced, 'a, b'],
  ])('keeps the separator of a text: %s', (_case, stored, wanted, draft, text) => {
    const made = draftOfMembers(drafted(stored, draft), wanted);
    expect(after(stored, made)).toBe(text);
    if (text === stored) expect(made).toBeNull();
  });

  test('sets the complete list if entries only change places', () => {
    expect(draftOfMembers(drafted([1, 2]), [2, 1])?.operations).toEqual([{ kind: 'set', value: [2, 1] }]);
  });

  test('always leads to the wanted entries', () => {
    const member = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom('DE', 'at', 'x y'));
    fc.assert(
      fc.property(fc.array(member), fc.array(member), (there: Member[], wanted: Member[]) => {
        const draft = draftOfMembers(drafted(there), wanted);
        expect(membersOf(after(there, draft))?.map(String)).toEqual(wanted.map(String));
      }),
    );
  });
});

describe('the draft of hours', () => {
  const off = Array.from({ length: 168 }, () => 0);

  test('states which hours to switch', () => {
    const week = off.map((_, index) => (index === 5 ? 1 : 0));
    const draft = draftOfHours({ field: 'shedule', stored: off, draft: undefined }, week);
    expect(draft?.operations).toEqual([{ kind: 'addHours', hours: [5] }]);
  });

  test('remains part of a week that was set as a whole', () => {
    const all = off.map(() => 1);
    const set = draftToSet({ field: 'shedule', stored: off, draft: undefined }, all);
    const less = all.with(0, 0);
    const draft = draftOfHours({ field: 'shedule', stored: off, draft: set ?? undefined }, less);
    expect(draft?.operations).toEqual([{ kind: 'set', value: less }]);
  });
});

test.each<[field: string, from: JsonValue, stored: JsonValue, operation: FieldOperation]>([
  ['payout', 0.04, 0.045, { kind: 'percent', percent: '10' }],
  ['website', null, 'https://theirs.example', { kind: 'set', value: 'https://other.example' }],
])('a draft of %s keeps the value %j that it started from', (field, from, stored, operation) => {
  const first: FieldDraft = { from, operations: [{ kind: 'set', value: 'https://mine.example' }] };
  expect(draftOf({ field, stored, draft: first }, [operation])).toEqual({ from, operations: [operation] });
});
