import type { ReactElement } from 'react';
import { findingsByState, lineCount } from './stores/doctor-store.ts';
import {
  useFormats,
  cx,
  Disclosure,
  ForeignText,
  Icon,
  type IconName,
  Pill,
  type PillTone,
  Skeleton,
} from '#renderer/ui/index.ts';
import type { ContractFinding, DoctorStep } from '#shared/app-api/index.ts';
import styles from './doctor.module.css';

const stepLooks: Record<DoctorStep['state'], { icon: IconName; word: string }> = {
  waiting: { icon: 'minus', word: 'waits' },
  running: { icon: 'refresh', word: 'asking' },
  ok: { icon: 'check-circle', word: 'ok' },
  notice: { icon: 'warning', word: 'remark' },
  failed: { icon: 'alert-circle', word: 'failed' },
  skipped: { icon: 'minus', word: 'not asked' },
};

/** One step: the request, the answer, its meaning and its remedy. */
export function Step({ step }: { step: DoctorStep }): ReactElement {
  const { icon, word } = stepLooks[step.state];
  return (
    <li className={cx(styles.step, styles[step.state])}>
      <span className={styles.stepSign}>
        <Icon name={icon} />
      </span>
      <div className={styles.stepBody}>
        <h2 className={styles.stepHead}>
          <span className={styles.title}>{step.title}</span>
          <span className={styles.word}>{word}</span>
          {step.tookMs !== null && (
            <span className={styles.took}>{Math.max(1, Math.round(step.tookMs))} ms</span>
          )}
        </h2>
        <Exchange step={step} />
        {step.means !== null && (
          <p className={styles.means}>
            <ForeignText text={step.means} />
          </p>
        )}
        {step.remedy !== null && (
          <p className={styles.remedy}>
            <Icon name="arrow-right" size={14} />
            <ForeignText text={step.remedy} />
          </p>
        )}
        {step.findings.length > 0 && <Findings findings={step.findings} />}
      </div>
    </li>
  );
}

/** The wire in two lines: foreign, so never more than text. */
function Exchange({ step }: { step: DoctorStep }): ReactElement | null {
  if (step.state === 'running') return <Skeleton width="44%" />;
  // The reason for skipping it is shown below.
  if (step.state === 'skipped' || (step.asked === '' && step.answer === '')) return null;
  return (
    <p className={styles.exchange}>
      {step.asked !== '' && <ForeignText text={step.asked} />}
      {step.answer !== '' && (
        <span className={styles.answer}>
          <ForeignText text={step.answer} />
        </span>
      )}
    </p>
  );
}

const findingLooks: Record<ContractFinding['state'], { tone: PillTone; word: string }> = {
  holds: { tone: 'good', word: 'holds' },
  drifts: { tone: 'bad', word: 'drifts' },
  skipped: { tone: 'neutral', word: 'not asked' },
};

/** The contract, line by line: drift is in sight, everything else is one click away. */
function Findings({ findings }: { findings: readonly ContractFinding[] }): ReactElement {
  const formats = useFormats();
  const { drifts, skipped, holds } = findingsByState(findings);
  return (
    <div className={styles.findings}>
      {drifts.length > 0 && <FindingList findings={drifts} />}
      {skipped.length > 0 && (
        <Disclosure
          title={lineCount(skipped.length, { one: 'was not asked', many: 'were not asked' }, formats)}
        >
          <FindingList findings={skipped} />
        </Disclosure>
      )}
      {holds.length > 0 && (
        <Disclosure title={lineCount(holds.length, { one: 'holds', many: 'hold' }, formats)}>
          <FindingList findings={holds} />
        </Disclosure>
      )}
    </div>
  );
}

function FindingList({ findings }: { findings: readonly ContractFinding[] }): ReactElement {
  return (
    <ul className={styles.list}>
      {findings.map(({ id, clause, title, state, text }) => (
        <li key={id} className={styles.finding}>
          <Pill tone={findingLooks[state].tone} label={findingLooks[state].word} />
          <span className={styles.clause}>{clause}</span>
          <span className={styles.text}>
            {title}
            {text !== '' && (
              <span className={styles.came}>
                <ForeignText text={text} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
