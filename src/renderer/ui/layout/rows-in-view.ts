import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

export interface RowWindowOptions {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** Equal for every row, so that a million rows need no stored positions. */
  rowHeight: number;
}

export interface RowWindow {
  /** There are no rows in view if `last` is below `first`. */
  first: number;
  last: number;
  height: number;
}

const overscan = 3;

export function useRowWindow({ scroller, count, rowHeight }: RowWindowOptions): RowWindow {
  const [{ firstRow, height }, setView] = useState({ firstRow: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void => {
      const firstRow = Math.max(0, Math.floor(element.scrollTop / rowHeight));
      const height = element.clientHeight;
      setView((before) =>
        before.firstRow === firstRow && before.height === height ? before : { firstRow, height },
      );
    };
    look();
    // Updates in the frame that scrolls. A later update would show a gap.
    const lookAtOnce = (): void => flushSync(look);
    element.addEventListener('scroll', lookAtOnce, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => {
      element.removeEventListener('scroll', lookAtOnce);
      sizes.disconnect();
    };
  }, [scroller, rowHeight]);

  const first = Math.max(0, Math.min(firstRow, count - 1) - overscan);
  const last = Math.min(count - 1, firstRow + Math.ceil(height / rowHeight) + overscan);
  return { first, last: height === 0 ? first - 1 : last, height };
}

/** Scrolls a row into view. Leaves one row above it and `below` pixels under it free. */
export function bringIntoView(
  scroller: HTMLElement | null,
  index: number,
  { rowHeight, below }: { rowHeight: number; below: number },
): void {
  if (scroller === null) return;
  const top = (index - 1) * rowHeight;
  const bottom = (index + 1) * rowHeight + below;
  if (bottom > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = bottom - scroller.clientHeight;
  else if (top < scroller.scrollTop) scroller.scrollTop = top;
}

/** More rows per frame would noticeably block the page. */
const rowsPerFrame = 6;

const placeholder = Symbol('placeholder');

type Content = string | number | typeof placeholder;

/** `ground` is an empty row. */
export type Drawing = 'row' | 'placeholder' | 'ground';

export interface DrawnRowsOptions {
  first: number;
  last: number;
  keyAt: (index: number) => string | number | undefined;
}

/** Draws new rows a few per frame, so that a jump never blocks the page. Draws none in a frame that jumps far. */
export function useDrawnRows({ first, last, keyAt }: DrawnRowsOptions): (index: number) => Drawing {
  const contentAt = (index: number): Content => keyAt(index) ?? placeholder;
  const [drawn, setDrawn] = useState<ReadonlyMap<number, Content>>(new Map());
  const firstOfFrame = useRef(first);

  useEffect(() => {
    const missing: number[] = [];
    for (let index = first; index <= last; index += 1) {
      if (drawn.get(index) !== contentAt(index)) missing.push(index);
    }
    if (missing.length === 0) {
      firstOfFrame.current = first;
      return;
    }
    let frame = requestAnimationFrame(function draw() {
      const jump = Math.abs(first - firstOfFrame.current);
      firstOfFrame.current = first;
      if (jump > (last - first) / 2) {
        frame = requestAnimationFrame(draw);
        return;
      }
      const visible = [...drawn].filter(([index]) => index >= first && index <= last);
      const added = missing.slice(0, rowsPerFrame).map((index) => [index, contentAt(index)] as const);
      setDrawn(new Map([...visible, ...added]));
    });
    return () => cancelAnimationFrame(frame);
  });

  return (index) => {
    const shown = drawn.get(index);
    if (shown === placeholder) return 'placeholder';
    return shown !== undefined && shown === contentAt(index) ? 'row' : 'ground';
  };
}

const everyMs = 80;

/**
 * Reports the range at most every 80 ms, and always the last one. Dragging the scroll bar passes hundreds of pages that
 * need not be read.
 */
export function useThrottledRange(
  first: number,
  last: number,
  onShow: (first: number, last: number) => void,
): void {
  const reportedAtMs = useRef(0);
  // Reports only a changed range. A report after every redraw would cause an endless loop.
  const report = useEffectEvent(() => {
    reportedAtMs.current = performance.now();
    onShow(first, last);
  });
  useEffect(() => {
    const waitMs = reportedAtMs.current + everyMs - performance.now();
    if (waitMs <= 0) return report();
    const timer = setTimeout(() => report(), waitMs);
    return () => clearTimeout(timer);
  }, [first, last]);
}
