import { isDate } from '#shared/lib/date-text.ts';
import type { ReactElement } from 'react';
import { TextField, type TextFieldProps } from '../controls/fields.tsx';
import { PanelButton } from './choices.tsx';
import { MonthGrid } from './month-grid.tsx';
import styles from './report.module.css';

export interface DateFieldProps extends Omit<TextFieldProps, 'action'> {
  /** The day that the calendar opens at while the text is no date, YYYY-MM-DD. */
  today: string;
  /** Called with a day of the calendar; `onChange` if it is absent. */
  onChoose?: (date: string) => void;
}

/** A date, typed or chosen in a calendar. The owner reads the text and says which day it means as `limit`. */
export function DateField({ today, onChoose, ...field }: DateFieldProps): ReactElement {
  const { label, value, disabled, onChange } = field;
  const shown = isDate(value) ? value : today;
  const calendar = (
    <span className={styles.inField}>
      <PanelButton icon="calendar" kind="quiet" label="" name={`Choose ${label.toLowerCase()}`}>
        {(close) => (
          <MonthGrid
            label={label}
            from={shown}
            to={shown}
            onChoose={(date) => {
              close();
              (onChoose ?? onChange)(date);
            }}
          />
        )}
      </PanelButton>
    </span>
  );
  return <TextField {...field} action={disabled === true ? undefined : calendar} />;
}
