import { useEffect, useState } from 'react';

/** New rows in one frame. More of them would make a task that is felt; a screenful is there after three frames. */
const rowsPerFrame = 10;

/** What stands in the place of a row that was not read yet. */
const placeholder = Symbol('placeholder');

type Content = string | number | typeof placeholder;

/** How much of a row is drawn: the row itself, its placeholder, or only its ground. */
export type Drawing = 'row' | 'placeholder' | 'ground';

export interface DrawnRowsOptions {
  first: number;
  last: number;
  /** What identifies the content of a row; undefined while it has not been read. */
  keyAt: (index: number) => string | number | undefined;
}

/**
 * Draws new rows a few at a time, so that a jump through a long list never holds the page for long. A row that was drawn
 * stays drawn when it is read again.
 */
export function useDrawnRows({ first, last, keyAt }: DrawnRowsOptions): (index: number) => Drawing {
  const contentAt = (index: number): Content => keyAt(index) ?? placeholder;
  const [drawn, setDrawn] = useState<ReadonlyMap<number, Content>>(new Map());

  useEffect(() => {
    const missing: number[] = [];
    for (let index = first; index <= last; index += 1) {
      if (drawn.get(index) !== contentAt(index)) missing.push(index);
    }
    if (missing.length === 0) return;
    const frame = requestAnimationFrame(() => {
      const kept = [...drawn].filter(([index]) => index >= first && index <= last);
      const added = missing.slice(0, rowsPerFrame).map((index) => [index, contentAt(index)] as const);
      setDrawn(new Map([...kept, ...added]));
    });
    return () => cancelAnimationFrame(frame);
  });

  return (index) => {
    const shown = drawn.get(index);
    if (shown === placeholder) return 'placeholder';
    return shown !== undefined && shown === contentAt(index) ? 'row' : 'ground';
  };
}
