import { useCallback, useRef, useState } from 'react';

/** The cursor and the selection of a chart. Values are indices of days. */
export interface ChartCursor {
  at: number | null;
  anchor: number | null;
  dragging: boolean;
}

export const noCursor: ChartCursor = { at: null, anchor: null, dragging: false };

export type CursorAction =
  | { kind: 'point'; at: number }
  | { kind: 'press'; at: number }
  | { kind: 'release' }
  | { kind: 'leave' }
  | { kind: 'key'; key: string; shift: boolean };

export type CursorEffect = { kind: 'range'; from: number; to: number } | { kind: 'open'; at: number } | null;

export interface CursorStep {
  cursor: ChartCursor;
  effect: CursorEffect;
  handled: boolean;
}

const jumps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowDown: (at) => at - 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at) => at - 7,
  PageUp: (at) => at + 7,
  Home: () => 0,
  End: (_, last) => last,
};

/** Arrows move by days, Page Up and Page Down by weeks. Shift selects. Enter applies the selection or opens the day. */
export function moveCursor(cursor: ChartCursor, action: CursorAction, count: number): CursorStep {
  const last = count - 1;
  const stay = (next: ChartCursor): CursorStep => ({ cursor: next, effect: null, handled: true });
  const clamp = (at: number): number => Math.min(last, Math.max(0, at));
  if (count === 0) return { cursor: noCursor, effect: null, handled: false };
  switch (action.kind) {
    case 'point': {
      const { anchor, dragging } = cursor;
      return stay({ at: clamp(action.at), anchor: dragging ? anchor : null, dragging });
    }
    case 'press':
      return stay({ at: clamp(action.at), anchor: clamp(action.at), dragging: true });
    case 'release':
      return { ...stay({ ...cursor, anchor: null, dragging: false }), effect: pressed(cursor) };
    case 'leave':
      return stay(cursor.dragging ? cursor : noCursor);
    case 'key':
      return onKey(cursor, action, last);
  }
}

export function selectedDays({ at, anchor }: ChartCursor): { from: number; to: number } | null {
  if (at === null || anchor === null || at === anchor) return null;
  return { from: Math.min(at, anchor), to: Math.max(at, anchor) };
}

function onKey(
  cursor: ChartCursor,
  { key, shift }: { key: string; shift: boolean },
  last: number,
): CursorStep {
  const jump = jumps[key];
  if (jump !== undefined) {
    const from = cursor.at ?? (key === 'ArrowRight' || key === 'ArrowUp' ? -1 : last + 1);
    const at = Math.min(last, Math.max(0, jump(from, last)));
    const anchor = shift ? (cursor.anchor ?? cursor.at ?? at) : null;
    return { cursor: { at, anchor, dragging: false }, effect: null, handled: true };
  }
  if (key === 'Enter' && cursor.at !== null) {
    const { at } = cursor;
    const effect: CursorEffect = taken(cursor) ?? (shift ? oneDay(at) : { kind: 'open', at });
    return { cursor: { ...cursor, anchor: null }, effect, handled: true };
  }
  if (key === 'Escape' && cursor.at !== null) {
    const next = cursor.anchor === null ? noCursor : { ...cursor, anchor: null, dragging: false };
    return { cursor: next, effect: null, handled: true };
  }
  return { cursor, effect: null, handled: false };
}

function taken(cursor: ChartCursor): CursorEffect {
  const days = selectedDays(cursor);
  return days && { kind: 'range', ...days };
}

const oneDay = (at: number): CursorEffect => ({ kind: 'range', from: at, to: at });

function pressed(cursor: ChartCursor): CursorEffect {
  const { at, anchor, dragging } = cursor;
  if (!dragging || at === null || anchor === null) return null;
  return taken(cursor) ?? oneDay(at);
}

export interface CursorParts {
  days: readonly string[];
  open: (at: number) => void;
  narrow: ((from: number, to: number) => void) | null;
}

/** The cursor of a chart. `act` returns false for keys that the chart does not use. */
export function useCursor({ days, open, narrow }: CursorParts): {
  cursor: ChartCursor;
  act: (action: CursorAction) => boolean;
} {
  const count = days.length;
  const span = `${days[0]} ${days.at(-1)} ${count}`;
  // May be newer than the drawn cursor.
  const latest = useRef({ cursor: noCursor, span });
  const [drawn, setDrawn] = useState(() => ({ cursor: noCursor, span }));
  const act = useCallback(
    (action: CursorAction): boolean => {
      const from = latest.current.span === span ? latest.current.cursor : noCursor;
      const step = moveCursor(from, action, count);
      latest.current = { cursor: narrow === null ? { ...step.cursor, anchor: null } : step.cursor, span };
      setDrawn(latest.current);
      if (step.effect?.kind === 'open') open(step.effect.at);
      if (step.effect?.kind === 'range') narrow?.(step.effect.from, step.effect.to);
      return step.handled;
    },
    [span, count, open, narrow],
  );
  return { cursor: drawn.span === span ? drawn.cursor : noCursor, act };
}
