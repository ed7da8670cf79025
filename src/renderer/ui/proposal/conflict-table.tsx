import type { ReactElement } from 'react';
import { LongText } from '../display/long-text.tsx';
import styles from './verdicts.module.css';

/** One field that moved: what it was, mine and theirs. Where nobody here wanted another value, mine is what it was. */
export interface ConflictView {
  field: string;
  label: string;
  base: string;
  mine: string;
  theirs: string;
}

/** The fields that moved, on both sides or on the other one alone. Nothing here can be approved. */
export function ConflictTable({ conflicts }: { conflicts: readonly ConflictView[] }): ReactElement {
  const isOnBothSides = conflicts.some(({ base, mine }) => mine !== base);
  return (
    <table
      className={styles.table}
      aria-label={isOnBothSides ? 'Fields changed on both sides' : 'Fields that moved'}
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
