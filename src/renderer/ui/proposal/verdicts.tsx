import { Fragment, type ReactElement, useState } from 'react';
import type { FieldVerdict } from '#shared/campaign/index.ts';
import type { ProposalState } from '#shared/proposals/states.ts';
import { cx } from '../cx.ts';
import { Icon, type IconName, type PillTone } from '../display/icon.tsx';
import { Pill } from '../display/pills.tsx';
import { ForeignText, LongText } from '../display/values.tsx';
import { Disclosure } from '../layout/blocks.tsx';
import { LongList } from '../layout/virtual-list.tsx';
import styles from './verdicts.module.css';
import type { Formats } from '#shared/lib/formats.ts';
import { useFormats } from '../formats.ts';
import { stateWords } from '#shared/wording/index.ts';

export interface StatePillProps {
  state: ProposalState;
  /** Decides the words of the result: an admitted agent, for example, is not called verified. */
  operation?: string;
  /** The tone of a batch, which follows the results of its members. */
  tone?: PillTone | undefined;
  framed?: boolean;
}

export function StatePill({ state, operation, tone, framed = false }: StatePillProps): ReactElement {
  const { tone: usual, label, isHollow: hollow } = stateWords[state];
  const word = operation === 'agent.admit' && state === 'verified' ? 'Allowed' : label;
  return <Pill tone={tone ?? usual} label={word} hollow={hollow} framed={framed} />;
}

const looks: Record<FieldVerdict['verdict'], { icon: IconName; word: string }> = {
  stored: { icon: 'check-circle', word: 'Stored as proposed' },
  normalised: { icon: 'info', word: 'Normalised by the service' },
  different: { icon: 'alert-circle', word: 'Different' },
  unknown: { icon: 'help', word: 'Unknown' },
  left: { icon: 'minus', word: 'Left as it was' },
};

export interface VerdictListProps {
  verdicts: readonly FieldVerdict[];
  /** Names of the fields to change. Their verdicts are always in view. */
  changed: readonly string[];
}

/** Lists verdicts. Fields that were not requested to change and did not change are folded and counted. */
export function VerdictList({ verdicts, changed }: VerdictListProps): ReactElement | null {
  const formats = useFormats();
  const [open, setOpen] = useState(false);
  if (verdicts.length === 0) return null;
  const requested = new Set(changed);
  const counts = (verdict: FieldVerdict): boolean =>
    requested.size === 0 || verdict.verdict !== 'stored' || requested.has(verdict.field);
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
            <Icon name={looks[verdict.verdict].icon} />
          </span>
          <span className={styles.label}>
            <ForeignText text={verdict.label} />
          </span>
          <span className={styles.value}>
            <Found {...verdict} />
          </span>
          <span className={styles.verdictWord}>{looks[verdict.verdict].word}</span>
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
