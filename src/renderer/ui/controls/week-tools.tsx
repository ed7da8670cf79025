import { type ReactElement, type ReactNode, useId } from 'react';
import { namedWeeks } from '#shared/campaign/index.ts';
import { Button } from './buttons.tsx';
import styles from './week-grid.module.css';

export interface WeekToolsProps {
  /** 168 values of 0 or 1, index = day × 24 + hour, Monday first. */
  hours: readonly number[];
  disabled?: boolean;
  /** A week by its name. */
  onChoose: (week: { name: string; hours: readonly number[] }) => void;
  onInvert: (hours: number[]) => void;
  /** More buttons, after these. */
  children?: ReactNode;
}

/** Buttons that set a whole week at once, for the grid below them. */
export function WeekTools(props: WeekToolsProps): ReactElement {
  const { hours, disabled = false, onChoose, onInvert, children } = props;
  const titleId = useId();
  return (
    <div className={styles.tools} role="toolbar" aria-labelledby={titleId}>
      <span id={titleId} className={styles.toolsTitle}>
        Set the week
      </span>
      {namedWeeks.map((week) => (
        <Button key={week.name} size="small" disabled={disabled} onClick={() => onChoose(week)}>
          {week.name}
        </Button>
      ))}
      <Button size="small" disabled={disabled} onClick={() => onInvert(hours.map((hour) => 1 - hour))}>
        Invert
      </Button>
      {children}
    </div>
  );
}
