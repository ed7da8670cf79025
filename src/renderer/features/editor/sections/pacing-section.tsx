import { Banner } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { type Editing, isUsed } from '../editing.ts';
import { EditAmount, EditChoice } from '../fields/edit-fields.tsx';
import styles from '../editor.module.css';

interface Mode {
  mode: string;
  counter: string;
  title: string;
  /** The value of the counter that is drafted with the mode where the stored one is too small. */
  min: number;
  explanation: string;
}

const modes: readonly Mode[] = [
  {
    mode: 'freq_cap',
    counter: 'freq_counter',
    title: 'Frequency cap',
    min: 1,
    explanation: 'The cap limits how often one user sees the ad.',
  },
  {
    mode: 'traffic_speed',
    counter: 'traffic_speed_counter',
    title: 'Pacing',
    min: 1_000,
    explanation: 'Pacing spreads the traffic evenly.',
  },
];

/** Frequency cap and pacing, as far as the account has them. */
export function PacingSection({ editing }: { editing: Editing }): ReactElement {
  return (
    <>
      {modes.map((mode) => (
        <ModeFields key={mode.mode} editing={editing} mode={mode} />
      ))}
    </>
  );
}

function ModeFields({ editing, mode: of }: { editing: Editing; mode: Mode }): ReactElement {
  const { mode, counter, title, min, explanation } = of;
  const { payload, campaign } = editing;
  const isOffered = isUsed(editing, mode);
  const stored = campaign[mode];
  const isOff = payload[mode] === 0;
  return (
    <div className={styles.group} role="group" aria-label={title}>
      {!isOffered && (
        <Banner tone="info" title={`${title} is not available for this account.`}>
          {stored === 0 ? 'It stays off.' : 'What is stored stays, and can be switched off.'}
        </Banner>
      )}
      <div className={styles.form}>
        <EditChoice
          editing={editing}
          field={mode}
          limit={explanation}
          options={[
            { value: 0, label: 'Off' },
            { value: 1, label: 'On', refused: isOffered || stored === 1 ? undefined : 'Not available' },
          ]}
          also={(value) => (value === 1 && Number(payload[counter]) < min ? { [counter]: min } : {})}
        />
        <EditAmount editing={editing} field={counter} limit={isOff ? 'Ignored while it is off' : undefined} />
      </div>
    </div>
  );
}
