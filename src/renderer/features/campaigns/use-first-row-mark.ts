import { useEffect } from 'react';

/** Marks, on the page's own timeline, when the first rows have been painted: what a start is measured by. */
export function useFirstRowMark(listed: boolean): void {
  useEffect(() => {
    if (!listed) return;
    // Rows are drawn in the next frame and painted by the end of it.
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('first row painted')));
  }, [listed]);
}
