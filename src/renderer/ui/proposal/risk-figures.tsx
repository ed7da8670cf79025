import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { Icon } from '../display/icon.tsx';
import { calendarDayText } from '../time/time-text.ts';
import { raises, riskiest, type FigurePair, type RiskView } from './riskiest.ts';
import styles from './risk-figures.module.css';

export interface RiskFiguresProps {
  risk: RiskView;
  /** How many campaigns the figures sum over. */
  targetCount: number;
  /** Everything that waits for a decision, this change included; null where it is alone. */
  queue?: { count: number; perDay: FigurePair } | null;
}

/** The money at risk before and after. The riskiest figure is the largest thing on the page. */
export function RiskFigures({ risk, targetCount, queue = null }: RiskFiguresProps): ReactElement {
  const largest = riskiest(risk);
  const sum = targetCount > 1 ? `, ${targetCount} campaigns` : '';
  const end = risk.endsOn === null ? 'until the end' : `until ${calendarDayText(risk.endsOn)}`;
  return (
    <section className={styles.risk} aria-label="Money at risk">
      <div className={styles.row}>
        <h2 className={styles.heading}>At risk</h2>
        <dl className={styles.figures}>
          <Figure label={`per day${sum}`} large={largest === 'perDay'}>
            <Pair {...risk.perDay} />
          </Figure>
          <Figure label={`${end}${sum}`} large={largest === 'untilEnd'}>
            <Pair {...risk.untilEnd} />
          </Figure>
          {risk.bidFactor !== null && (
            <Figure label="bid" large={largest === 'bid'}>
              <span className={styles.after}>{risk.bidFactor}</span>
              <span className={raises(risk.bidFactor) ? styles.up : styles.down}>
                <Icon name={raises(risk.bidFactor) ? 'arrow-up' : 'arrow-down'} />
              </span>
            </Figure>
          )}
        </dl>
      </div>
      {queue !== null && (
        <p className={styles.queue}>
          Whole queue ({queue.count} changes) <Pair {...queue.perDay} /> per day
        </p>
      )}
    </section>
  );
}

function Figure(props: { label: string; large: boolean; children: ReactNode }): ReactElement {
  return (
    <div className={cx(styles.figure, props.large && styles.large)}>
      <dt className={styles.label}>{props.label}</dt>
      <dd className={styles.value}>{props.children}</dd>
    </div>
  );
}

function Pair({ before, after }: FigurePair): ReactElement {
  const same = before.text === after.text;
  return (
    <>
      <span className={styles.before}>{before.text}</span>
      <span className={styles.arrow} role="img" aria-label="becomes">
        <Icon name="arrow-right" size={14} />
      </span>
      <span className={cx(same ? styles.same : styles.after, after.unlimited && styles.unlimited)}>
        {after.text}
      </span>
    </>
  );
}
