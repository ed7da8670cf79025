import { type ReactElement, type ReactNode, useState } from 'react';
import { isStatusCode, type StatusCode, statusNames } from '#shared/contract/index.ts';
import { LinkButton } from '../controls/buttons.tsx';
import { cx } from '../cx.ts';
import type { PillTone } from './icon.tsx';
import styles from './pills.module.css';
import { ForeignText } from './values.tsx';
import { useFormats } from '../formats.ts';

export interface PillProps {
  tone: PillTone;
  label: string;
  hollow?: boolean;
  framed?: boolean;
}

export function Pill({ tone, label, hollow = false, framed = false }: PillProps): ReactElement {
  return (
    <span className={cx(styles.pill, styles[tone], hollow && styles.hollow, framed && styles.framed)}>
      {label}
    </span>
  );
}

const tones: Record<StatusCode, { tone: PillTone; hollow: boolean }> = {
  0: { tone: 'waiting', hollow: true },
  1: { tone: 'good', hollow: false },
  2: { tone: 'bad', hollow: true },
  3: { tone: 'neutral', hollow: false },
  4: { tone: 'busy', hollow: true },
};

/** A campaign's status. An unknown code is shown as a number (contract §3). */
export function StatusPill({ status, framed }: { status: number; framed?: boolean }): ReactElement {
  if (!isStatusCode(status)) return <Pill tone="bad" label={`Status ${status}`} />;
  return <Pill {...tones[status]} label={statusNames[status]} framed={framed ?? false} />;
}

interface BadgeProps {
  count: number;
  label: string;
  attention?: boolean;
  /** True for a count of the last session, which may have changed since. */
  past?: boolean;
}

export function Badge({ count, label, attention, past }: BadgeProps): ReactElement {
  const words = past ? `${label} in the last session` : label;
  return (
    <span
      className={cx(styles.badge, past ? styles.past : attention && styles.attention)}
      aria-label={words}
      title={past ? words : undefined}
    >
      {count}
    </span>
  );
}

export function Chip(props: { children: ReactNode; small?: boolean; quiet?: boolean }): ReactElement {
  return (
    <span className={cx(styles.chip, props.small && styles.small, props.quiet && styles.quiet)}>
      {props.children}
    </span>
  );
}

export function ChipList({ children }: { children: ReactNode }): ReactElement {
  return <span className={styles.wrap1}>{children}</span>;
}

export function KeyHint({ keys }: { keys: readonly string[] }): ReactElement {
  return (
    <span className={styles.keys}>
      {keys.map((key) => (
        <kbd key={key} className={styles.key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}

const atOnce = 24;

export function ValueList({ values }: { values: readonly string[] }): ReactElement {
  const formats = useFormats();
  const [all, setAll] = useState(false);
  const shown = all ? values : values.slice(0, atOnce);
  return (
    <ChipList>
      {shown.map((value, index) => (
        <Chip key={index}>
          <ForeignText text={value} />
        </Chip>
      ))}
      {shown.length < values.length && (
        <LinkButton onClick={() => setAll(true)}>Show all {formats.count(values.length)}</LinkButton>
      )}
    </ChipList>
  );
}

interface ProfileSignProps {
  kind: 'demo' | 'live';
  name: string;
  framed?: boolean;
  oneLine?: boolean;
}

/** The sign of a profile. The colour seal always means Live, teal always means Demo. */
export function ProfileSign({ kind, name, framed = false, oneLine = false }: ProfileSignProps): ReactElement {
  return (
    <span className={cx(styles.sign, styles[kind], framed && styles.signBox, oneLine && styles.oneLine)}>
      <span className={styles.square} aria-hidden />
      <span className={styles.words}>
        {kind === 'live' ? 'LIVE' : 'Demo'} · <ForeignText text={name} />
      </span>
    </span>
  );
}

/** The sign of training. The colour violet always means Training. */
export function TrainingSign({ detail }: { detail?: string | undefined }): ReactElement {
  return (
    <span className={cx(styles.sign, styles.training, styles.signBox, styles.oneLine)}>
      <span className={styles.square} aria-hidden />
      <span className={styles.words}>
        Training
        {detail !== undefined && (
          <>
            <span> · </span>
            <ForeignText text={detail} />
          </>
        )}
      </span>
    </span>
  );
}
