import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  moveCursor,
  noCursor,
  selectedDays,
  type ChartCursor,
  type CursorAction,
  type CursorEffect,
} from '#renderer/ui/chart/time/cursor.ts';

const key = (name: string): CursorAction => ({
  kind: 'key',
  key: name.replace('Shift+', ''),
  shift: name.startsWith('Shift+'),
});

/** Returns the cursor after these actions over ten days, and the effects of the actions. */
function after(actions: CursorAction[], from = noCursor): { cursor: ChartCursor; effects: CursorEffect[] } {
  let cursor = from;
  const effects: CursorEffect[] = [];
  for (const action of actions) {
    const step = moveCursor(cursor, action, 10);
    cursor = step.cursor;
    if (step.effect) effects.push(step.effect);
  }
  return { cursor, effects };
}

test.each([
  [['ArrowRight'], 0],
  [['ArrowLeft'], 9],
  [['Home', 'ArrowLeft'], 0],
  [['End', 'ArrowRight'], 9],
  [['Home', 'PageUp'], 7],
  [['End', 'ArrowLeft', 'Escape'], null],
])('the keys %o move the cursor to day %s', (keys, at) => {
  expect(after(keys.map(key)).cursor.at).toBe(at);
});

test('Shift selects days, Enter applies the selection, and Escape clears first the selection and then the cursor', () => {
  const select = ['Home', 'Shift+ArrowRight', 'Shift+ArrowRight'].map(key);
  expect(selectedDays(after(select).cursor)).toEqual({ from: 0, to: 2 });
  expect(after([...select, key('Enter')]).effects).toEqual([{ kind: 'range', from: 0, to: 2 }]);
  const cleared = after([...select, key('Escape')]);
  expect(cleared).toMatchObject({ cursor: { at: 2, anchor: null }, effects: [] });
  expect(after([key('Home'), key('Enter')]).effects).toEqual([{ kind: 'open', at: 0 }]);
  expect(after([key('Home'), key('Shift+Enter')]).effects).toEqual([{ kind: 'range', from: 0, to: 0 }]);
});

test('a drag selects several days when it ends, and a press selects one day', () => {
  const press: CursorAction = { kind: 'press', at: 6 };
  const release: CursorAction = { kind: 'release' };
  expect(after([press, { kind: 'point', at: 2 }, release]).effects).toEqual([
    { kind: 'range', from: 2, to: 6 },
  ]);
  expect(after([press, release]).effects).toEqual([{ kind: 'range', from: 6, to: 6 }]);
  expect(after([{ kind: 'point', at: 6 }, release]).effects).toEqual([]);
  expect(after([press, { kind: 'point', at: 2 }, key('Escape'), release]).effects).toEqual([]);
});

test('other keys are left to the page, and no action moves the cursor outside the days', () => {
  expect(moveCursor(noCursor, key('x'), 10).handled).toBe(false);
  expect(moveCursor(noCursor, key('Escape'), 10).handled).toBe(false);
  const at = fc.integer({ min: -5, max: 40 });
  const action: fc.Arbitrary<CursorAction> = fc.oneof(
    fc.record({ kind: fc.constantFrom('point' as const, 'press' as const), at }),
    fc.constantFrom<CursorAction>({ kind: 'release' }, { kind: 'leave' }),
    fc
      .constantFrom('ArrowLeft', 'Shift+ArrowRight', 'PageDown', 'Shift+End', 'Home', 'Enter', 'Escape')
      .map(key),
  );
  fc.assert(
    fc.property(fc.array(action), fc.integer({ min: 0, max: 30 }), (actions, count) => {
      let cursor = noCursor;
      for (const one of actions) {
        const step = moveCursor(cursor, one, count);
        cursor = step.cursor;
        const places = [cursor.at, cursor.anchor, ...Object.values(step.effect ?? {})];
        for (const place of places)
          if (typeof place === 'number') expect(place < count && place >= 0).toBe(true);
      }
    }),
  );
});
