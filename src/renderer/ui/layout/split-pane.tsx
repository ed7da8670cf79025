import { useRef, type KeyboardEvent, type PointerEvent, type ReactElement, type ReactNode } from 'react';
import styles from './blocks.module.css';

export interface SplitPaneProps {
  main: ReactNode;
  side: ReactNode | null;
  sideLabel: string;
  /** In pixels; the owner keeps it between `min` and `max`. */
  width: number;
  min: number;
  max: number;
  onResize: (width: number) => void;
}

const keyStep = 16;

/** The stylesheet uses the same width. */
export const panelCoversMain = (): boolean => matchMedia('(max-width: 760px)').matches;

export function SplitPane(props: SplitPaneProps): ReactElement {
  const { main, side, sideLabel, width, min, max, onResize } = props;
  const drag = useRef<{ startX: number; startWidth: number } | null>(null);

  function down(event: PointerEvent<HTMLDivElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { startX: event.clientX, startWidth: width };
  }

  function move(event: PointerEvent<HTMLDivElement>): void {
    if (drag.current) onResize(drag.current.startWidth + drag.current.startX - event.clientX);
  }

  function key(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.key === 'ArrowLeft') onResize(width + keyStep);
    if (event.key === 'ArrowRight') onResize(width - keyStep);
  }

  return (
    <div className={styles.split}>
      <div className={styles.main}>{main}</div>
      {side !== null && (
        <div className={styles.side} style={{ width }}>
          <div
            className={styles.handle}
            role="separator"
            aria-orientation="vertical"
            aria-label={`Width of ${sideLabel}`}
            aria-valuenow={width}
            aria-valuemin={min}
            aria-valuemax={max}
            tabIndex={0}
            onPointerDown={down}
            onPointerMove={move}
            onPointerUp={() => (drag.current = null)}
            onKeyDown={key}
          />
          {side}
        </div>
      )}
    </div>
  );
}
