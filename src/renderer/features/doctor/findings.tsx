import { findingsByState, lineCount } from '#renderer/stores/doctor/index.ts';
import { Disclosure, ForeignText, Pill, type PillTone } from '#renderer/ui/index.ts';
import type { ContractFinding } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import styles from './doctor.module.css';

const looks: Record<ContractFinding['state'], { tone: PillTone; word: string }> = {
  holds: { tone: 'good', word: 'holds' },
  drifts: { tone: 'bad', word: 'drifts' },
  skipped: { tone: 'neutral', word: 'not asked' },
};

/** The contract, line by line: what drifts is in sight, the rest is one click away. */
export function Findings({ findings }: { findings: readonly ContractFinding[] }): ReactElement {
  const { drifts, skipped, holds } = findingsByState(findings);
  return (
    <div className={styles.findings}>
      {drifts.length > 0 && <FindingList findings={drifts} />}
      {skipped.length > 0 && (
        <Disclosure title={lineCount(skipped.length, { one: 'was not asked', many: 'were not asked' })}>
          <FindingList findings={skipped} />
        </Disclosure>
      )}
      {holds.length > 0 && (
        <Disclosure title={lineCount(holds.length, { one: 'holds', many: 'hold' })}>
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
          <Pill tone={looks[state].tone} label={looks[state].word} />
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
