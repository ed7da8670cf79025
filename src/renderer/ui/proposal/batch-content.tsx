import type { ReactElement } from 'react';
import { ForeignText } from '../display/foreign-text.tsx';
import { MemberList, type MemberView } from './member-list.tsx';
import { Rule } from './rule.tsx';
import { batchAside } from './batch-words.ts';
import styles from './request.module.css';

export interface BatchContentProps {
  batch: {
    members: readonly MemberView[];
    skipped: readonly { what: string; because: string }[];
  };
  /** Where a member has a page of its own. */
  hrefOf?: (id: string) => string;
}

/** What a batch does: every change with its own result, and what was left out on purpose. */
export function BatchContent({ batch, hrefOf }: BatchContentProps): ReactElement {
  const { members, skipped } = batch;
  return (
    <>
      <section aria-label="What changes">
        <Rule title="What changes" aside={batchAside(members)} />
        <MemberList members={members} hrefOf={hrefOf} />
      </section>
      {skipped.length > 0 && (
        <section aria-label="Left out">
          <Rule title="Left out on purpose" aside={String(skipped.length)} />
          <ul className={styles.skipped}>
            {skipped.map(({ what, because }) => (
              <li key={what}>
                <ForeignText text={what} />{' '}
                <span className={styles.because}>
                  <ForeignText text={because} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
