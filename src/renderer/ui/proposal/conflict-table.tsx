import type { ReactElement } from 'react';
import { ForeignText } from '../display/foreign-text.tsx';
import styles from './conflict-table.module.css';

/** One field that two people changed: what it was, mine and theirs. */
export interface ConflictView {
  field: string;
  label: string;
  base: string;
  mine: string;
  theirs: string;
}

/** The fields that moved on both sides. Nothing here can be approved. */
export function ConflictTable({ conflicts }: { conflicts: readonly ConflictView[] }): ReactElement {
  return (
    <table className={styles.table} aria-label="Fields changed on both sides">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Was</th>
          <th scope="col">Mine</th>
          <th scope="col">Theirs, stored now</th>
        </tr>
      </thead>
      <tbody>
        {conflicts.map((conflict) => (
          <tr key={conflict.field}>
            <th scope="row">{conflict.label}</th>
            <td>
              <ForeignText text={conflict.base} />
            </td>
            <td className={styles.mine}>
              <ForeignText text={conflict.mine} />
            </td>
            <td className={styles.theirs}>
              <ForeignText text={conflict.theirs} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
