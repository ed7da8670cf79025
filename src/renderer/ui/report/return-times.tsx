import { type FormEvent, type ReactElement, useId, useState } from 'react';
import {
  minuteOfDay,
  type ReturnPreset,
  returnMoment,
  returnPresets,
  serviceDay,
} from '#shared/campaign/index.ts';
import { readDay, readMoment } from '#shared/drafts/index.ts';
import { dayAndDateText } from '#shared/lib/date-text.ts';
import { Button } from '../controls/buttons.tsx';
import { TextField } from '../controls/fields.tsx';
import { cx } from '../cx.ts';
import common from '../styles/common.module.css';
import { DateField } from './month-grid.tsx';
import styles from './report.module.css';

interface ReturnTimesProps {
  nowMs: number;
  zone: string;
  verb: string;
  disabled: boolean;
  onChoose: (atMs: number) => void;
}

const names: Readonly<Record<ReturnPreset['id'], string>> = {
  tomorrow: 'Until tomorrow morning',
  weekend: 'For the weekend',
  monday: 'Until Monday morning',
};

/** Times for the return of a pause: presets, each one press, and any other date and time. */
export function ReturnTimes(props: ReturnTimesProps): ReactElement {
  const { nowMs, zone, disabled, onChoose } = props;
  return (
    <div className={common.stack4}>
      <div className={common.stack1} role="group" aria-label="Times">
        {returnPresets(nowMs, zone).map(({ id, atMs }, index) => (
          <button
            key={id}
            type="button"
            className={styles.returnTime}
            disabled={disabled}
            data-autofocus={index === 0 || undefined}
            onClick={() => onChoose(atMs)}
          >
            <span className={common.medium}>{names[id]}</span>
            <span className={cx(common.soft, styles.returnMoment)}>{returnMoment(atMs, zone)}</span>
          </button>
        ))}
      </div>
      <OtherTime {...props} />
    </div>
  );
}

function OtherTime({ nowMs, zone, verb, disabled, onChoose }: ReturnTimesProps): ReactElement {
  const [date, setDate] = useState('');
  const [time, setTime] = useState('08:00');
  const [isTried, setTried] = useState(false);
  const heading = useId();
  const today = serviceDay(nowMs, zone).date;
  const day = readDay(date, today);
  const clock = time.trim();
  const found = 'date' in day ? readMoment({ date: day.date, time: clock, zone }, nowMs) : day;
  const isTime = minuteOfDay(clock) !== null;
  const fault = 'fault' in found && (isTime || 'fault' in day) ? found.fault : undefined;

  function choose(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (isTime && 'atMs' in found) onChoose(found.atMs);
  }

  return (
    <form className={common.stack3} aria-labelledby={heading} noValidate onSubmit={choose}>
      <h3 id={heading} className={common.subheading}>
        Another time
      </h3>
      <div className={styles.otherTime}>
        <DateField
          label="Date"
          value={date}
          today={'date' in day ? day.date : today}
          placeholder="31 Dec, +14d, Sun"
          limit={'date' in day ? dayAndDateText(day.date) : undefined}
          error={isTried ? fault : undefined}
          onChange={setDate}
        />
        <TextField
          label="Time"
          value={time}
          placeholder="HH:MM"
          limit={zone}
          error={isTried && !isTime ? 'Enter the time as HH:MM.' : undefined}
          onChange={setTime}
        />
        <Button className={styles.otherTimeButton} type="submit" disabled={disabled}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
