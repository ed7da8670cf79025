import { useEffect, useRef } from 'react';

const everyMs = 80;

/**
 * Tells the rows in view at most every 80 ms, the last ones for certain: somebody who drags through a long list
 * passes hundreds of pages that nobody needs.
 */
export function useThrottledRange(
  first: number,
  last: number,
  onShow: (first: number, last: number) => void,
): void {
  const toldAtMs = useRef(0);
  useEffect(() => {
    const tell = (): void => {
      toldAtMs.current = performance.now();
      onShow(first, last);
    };
    const waitMs = toldAtMs.current + everyMs - performance.now();
    if (waitMs <= 0) return tell();
    const timer = setTimeout(tell, waitMs);
    return () => clearTimeout(timer);
  }, [first, last, onShow]);
}
