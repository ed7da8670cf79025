import { useCallback, useRef, useState } from 'react';
import { moveCursor, noCursor, type ChartCursor, type CursorAction } from './cursor.ts';

export interface CursorParts {
  /** Days of the chart. */
  count: number;
  open: (at: number) => void;
  /** Null where days cannot be selected. */
  narrow: ((from: number, to: number) => void) | null;
}

/** The cursor of a chart, and the function that moves it; that one returns false for keys that are none of the chart's. */
export function useCursor({ count, open, narrow }: CursorParts): {
  cursor: ChartCursor;
  act: (action: CursorAction) => boolean;
} {
  // Of the last event, which may be newer than what is drawn.
  const latest = useRef(noCursor);
  const [cursor, setCursor] = useState(noCursor);
  const act = useCallback(
    (action: CursorAction): boolean => {
      const step = moveCursor(latest.current, action, count);
      latest.current = narrow === null ? { ...step.cursor, anchor: null } : step.cursor;
      setCursor(latest.current);
      if (step.effect?.kind === 'open') open(step.effect.at);
      if (step.effect?.kind === 'range') narrow?.(step.effect.from, step.effect.to);
      return step.handled;
    },
    [count, open, narrow],
  );
  return { cursor, act };
}
