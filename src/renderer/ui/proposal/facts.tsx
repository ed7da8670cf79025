import type { ReactElement } from 'react';
import type { FactView } from '#shared/wording/index.ts';
import { cx } from '../cx.ts';
import { ForeignText } from '../display/values.tsx';
import styles from './facts.module.css';
import common from '../styles/common.module.css';

export interface FactListProps {
  facts: readonly FactView[];
  /** True if the effect on the campaign is not known: then the facts are those of now, and nothing is said to stay. */
  areNow: boolean;
}

/** Characters that fit beside another fact; a longer one has a row of its own. */
const maxBeside = 42;

/**
 * Facts of the campaigns to decide by, in two columns: the bid, budget, countries, hours, destination and last change. A fact that
 * the change touches shows its new value with the old one beside it. Nothing without a fact.
 */
export function FactList({ facts, areNow }: FactListProps): ReactElement | null {
  if (facts.length === 0) return null;
  return (
    <section className={common.stack1} aria-label={areNow ? 'Facts, as they are now' : 'Facts'}>
      {areNow && <p className={common.quiet}>As it is now</p>}
      <dl className={styles.facts}>
        {facts.map((fact) => (
          <Fact key={fact.fact} {...fact} />
        ))}
      </dl>
    </section>
  );
}

function Fact({ label, value, before }: FactView): ReactElement {
  const isTouched = before !== undefined;
  const isLong = value.length + (before?.length ?? 0) > maxBeside;
  return (
    <div className={cx(styles.fact, isLong && styles.wide)}>
      <dt>{label}</dt>
      <dd className={cx(isTouched && styles.touched)}>
        <ForeignText text={value} />{' '}
        {isTouched && (
          <span className={styles.before}>
            was <ForeignText text={before} />
          </span>
        )}
      </dd>
    </div>
  );
}
