import { Fragment, type ReactElement, type ReactNode, useState } from 'react';
import type { FieldVerdict, Warning } from '#shared/wording/index.ts';
import { type ProposalState, isInDelivery, isUndecided } from '#shared/proposals/states.ts';
import { cx } from '../cx.ts';
import { Icon, type IconName } from '../display/icon.tsx';
import { Pill } from '../display/pills.tsx';
import { ForeignText, LongText } from '../display/values.tsx';
import { Disclosure } from '../layout/blocks.tsx';
import { LongList } from '../layout/virtual-list.tsx';
import styles from './verdicts.module.css';
import type { Formats } from '#shared/lib/formats.ts';
import { useFormats } from '../formats.ts';
import { Button } from '../controls/buttons.tsx';
import { Banner } from '../display/notices.tsx';
import { stateWords } from '#shared/wording/index.ts';

export interface StatePillProps {
  state: ProposalState;
  /** The operation: an admitted agent is not called verified. */
  operation?: string;
  framed?: boolean;
}

/** The state of a proposal as a dot and a word. */
export function StatePill({ state, operation, framed = false }: StatePillProps): ReactElement {
  const { tone, label, hollow } = stateWords[state];
  const word = operation === 'agent.admit' && state === 'verified' ? 'Allowed' : label;
  return <Pill tone={tone} label={word} hollow={hollow} framed={framed} />;
}

const verdictLooks: Record<FieldVerdict['verdict'], { icon: IconName; word: string }> = {
  stored: { icon: 'check-circle', word: 'Stored as proposed' },
  normalised: { icon: 'info', word: 'Normalised by the service' },
  different: { icon: 'alert-circle', word: 'Different' },
  unknown: { icon: 'help', word: 'Unknown' },
  left: { icon: 'minus', word: 'Left as it was' },
};

export interface VerdictListProps {
  verdicts: readonly FieldVerdict[];
  /** The fields that were meant to change: they are always in view. Empty when the verdicts are few or are all meant. */
  changed: readonly string[];
}

/**
 * Results of the read-back, field by field, with a mark and a word for each. Fields that were meant to change and whatever is
 * not as asked is shown; fields that merely stayed are folded, and counted.
 */
export function VerdictList({ verdicts, changed }: VerdictListProps): ReactElement | null {
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  if (verdicts.length === 0) return null;
  const meant = new Set(changed);
  const counts = (verdict: FieldVerdict): boolean =>
    meant.size === 0 || verdict.verdict !== 'stored' || meant.has(verdict.field);
  const rest = verdicts.filter((verdict) => !counts(verdict));
  return (
    <>
      <Verdicts label="What the read-back found" verdicts={verdicts.filter(counts)} />
      {rest.length > 0 && (
        <Disclosure title={otherWords(rest.length, formats)} open={open} onToggle={setOpen}>
          {open && <Verdicts label="Fields that stayed" verdicts={rest} />}
        </Disclosure>
      )}
    </>
  );
}

function otherWords(count: number, formats: Formats): string {
  return formats.counted(count, 'other field stored as it was', 'other fields stored as they were');
}

function Verdicts(props: { label: string; verdicts: readonly FieldVerdict[] }): ReactElement {
  return (
    <LongList
      label={props.label}
      items={props.verdicts}
      keyOf={({ field }) => field}
      estimatedHeight={33}
      itemClass={({ verdict }) => cx(styles.verdictItem, styles[verdict])}
      render={(verdict) => (
        <>
          <span className={styles.verdictIcon}>
            <Icon name={verdictLooks[verdict.verdict].icon} />
          </span>
          <span className={styles.label}>
            <ForeignText text={verdict.label} />
          </span>
          <span className={styles.value}>
            <Found {...verdict} />
          </span>
          <span className={styles.verdictWord}>{verdictLooks[verdict.verdict].word}</span>
        </>
      )}
    />
  );
}

function Found({ verdict, sent, found }: FieldVerdict): ReactElement {
  if (verdict === 'stored') return <LongText text={found === '' ? sent : found} />;
  const pairs: [string, string][] = [
    [verdict === 'left' ? 'not sent' : 'sent', sent],
    ['found', found === '' ? 'not read yet' : found],
  ];
  return (
    <dl className={styles.pairs}>
      {pairs.map(([term, text]) => (
        <Fragment key={term}>
          <dt>{term}</dt>
          <dd>
            <LongText text={text} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

const severityLooks: Record<Warning['severity'], { icon: IconName; word: string }> = {
  danger: { icon: 'alert-circle', word: 'Danger' },
  warning: { icon: 'warning', word: 'Warning' },
  notice: { icon: 'info', word: 'Note' },
};

const order: readonly Warning['severity'][] = ['danger', 'warning', 'notice'];

export type WarningLine = Pick<Warning, 'severity' | 'text'>;

/** Warnings, worst first; each with a sign and a word besides its colour. */
export function WarningLines(props: { warnings: readonly WarningLine[]; label: string }): ReactElement {
  const { warnings, label } = props;
  return (
    <ul className={styles.warningList} aria-label={label}>
      {worstFirst(warnings).map(({ severity, text }) => (
        <li key={`${severity} ${text}`} className={styles[severity]}>
          <span className={styles.warningIcon}>
            <Icon name={severityLooks[severity].icon} />
          </span>
          <span>
            <span className={styles.warningWord}>{severityLooks[severity].word}</span>{' '}
            <ForeignText text={text} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function worstFirst(warnings: readonly WarningLine[]): WarningLine[] {
  return order.flatMap((severity) => warnings.filter((warning) => warning.severity === severity));
}

/** Warnings in the frame of the worst one. `children` asks the user for something. */
export function WarningList(props: {
  warnings: readonly WarningLine[];
  children?: ReactNode;
}): ReactElement | null {
  const { warnings, children = null } = props;
  if (warnings.length === 0 && children === null) return null;
  return (
    <div className={cx(styles.frame, styles[worstFirst(warnings)[0]?.severity ?? 'notice'])}>
      <WarningLines warnings={warnings} label="Warnings" />
      {children}
    </div>
  );
}

/** One field that changed meanwhile: before, mine and theirs. If the proposal leaves the field, mine is the value before. */
export interface ConflictView {
  field: string;
  label: string;
  base: string;
  mine: string;
  theirs: string;
}

/** The fields that changed, on both sides or on the other one only. Nothing here can be approved. */
export function ConflictTable({ conflicts }: { conflicts: readonly ConflictView[] }): ReactElement {
  const isOnBothSides = conflicts.some(({ base, mine }) => mine !== base);
  return (
    <table
      className={styles.table}
      aria-label={isOnBothSides ? 'Fields changed on both sides' : 'Fields changed meanwhile'}
    >
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Was</th>
          {isOnBothSides && <th scope="col">Mine</th>}
          <th scope="col">{isOnBothSides ? 'Theirs, stored now' : 'Stored now'}</th>
        </tr>
      </thead>
      <tbody>
        {conflicts.map((conflict) => (
          <tr key={conflict.field}>
            <th scope="row">{conflict.label}</th>
            <td>
              <LongText text={conflict.base} />
            </td>
            {isOnBothSides && (
              <td className={styles.mine}>
                <LongText text={conflict.mine} />
              </td>
            )}
            <td className={styles.theirs}>
              <LongText text={conflict.theirs} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export interface UndoPartProps {
  undo: {
    undoes: string | null;
    undoneBy: { id: string; state: ProposalState } | null;
    canUndo: boolean;
  };
  /** The undo is being prepared. */
  isPreparing: boolean;
  /** An undo is being prepared, this one or another: none can be asked for meanwhile. */
  isHeld: boolean;
  /** The reason if it could not be proposed. */
  failure: { message: string; next: string } | null;
  /** Small beside other text, as in a list. */
  size?: 'small' | 'normal';
  hrefOf: (proposalId: string) => string;
  onUndo: () => void;
}

/** The button that proposes to take a change back, and links to what it undoes and to what undoes it. */
export function UndoPart(props: UndoPartProps): ReactElement | null {
  const { undo, isPreparing, isHeld, failure, size = 'normal', hrefOf, onUndo } = props;
  const { undoes, undoneBy, canUndo } = undo;
  if (undoes === null && undoneBy === null && !canUndo) return null;
  const isWaiting = undoneBy !== null && isUndecided(undoneBy.state);
  return (
    <div className={styles.undo}>
      {canUndo && (
        <Button size={size} icon="reset" disabled={isHeld} onClick={onUndo}>
          {isPreparing ? 'Preparing…' : isWaiting ? 'Review undo' : 'Undo change'}
        </Button>
      )}
      {undoneBy !== null && (
        <span className={styles.link}>
          <Icon name={isWaiting ? 'clock' : 'reset'} size={14} />
          <a href={hrefOf(undoneBy.id)}>{undoneByWords(undoneBy.state)}</a>
        </span>
      )}
      {undoes !== null && (
        <span className={styles.link}>
          <Icon name="reset" size={14} />
          <a href={hrefOf(undoes)}>Undoes an earlier change</a>
        </span>
      )}
      {failure !== null && (
        <div className={styles.failure}>
          <Banner tone="danger" title={failure.message}>
            {failure.next}
          </Banner>
        </div>
      )}
    </div>
  );
}

function undoneByWords(state: ProposalState): string {
  if (isUndecided(state)) return 'Undo awaiting your approval';
  if (isInDelivery(state)) return 'Undo in progress';
  if (state === 'unknown') return 'Undo sent, outcome unknown';
  return state === 'differs' ? 'Undone, but the stored values differ' : 'Undone by a later change';
}
