import type { ReactElement } from 'react';
import { Icon } from '../display/icon.tsx';
import { LongText } from '../display/long-text.tsx';
import { StatusPill } from '../display/status-pill.tsx';
import type { FigurePair } from './riskiest.ts';
import { stays } from './target-words.ts';
import styles from './target-list.module.css';

/** One campaign that a change touches. */
export interface TargetView {
  cid: number;
  name: string;
  statusBefore: number;
  statusAfter: number;
  perDay: FigurePair;
}

/** Every campaign of a batch, none left out: what it is, its status and its money per day, before and after. */
export function TargetList({ targets }: { targets: readonly TargetView[] }): ReactElement {
  return (
    <table className={styles.table} aria-label={`All ${targets.length} campaigns`}>
      <thead>
        <tr>
          <th scope="col" className={styles.number}>
            cid
          </th>
          <th scope="col">Campaign</th>
          <th scope="col">Status</th>
          <th scope="col" className={styles.number}>
            At risk per day
          </th>
        </tr>
      </thead>
      <tbody>
        {targets.map((target) => (
          <tr key={target.cid}>
            <td className={styles.number}>{target.cid}</td>
            <td>
              <LongText text={target.name} />
            </td>
            <td>
              <span className={styles.pair}>
                <StatusPill status={target.statusBefore} />
                {stays(target) ? (
                  <span className={styles.stays}>stays</span>
                ) : (
                  <>
                    <Becomes />
                    <StatusPill status={target.statusAfter} />
                  </>
                )}
              </span>
            </td>
            <td className={styles.number}>
              <span className={styles.pair}>
                {!stays(target) && (
                  <>
                    <span className={styles.before}>{target.perDay.before.text}</span>
                    <Becomes />
                  </>
                )}
                <span className={target.perDay.after.unlimited ? styles.unlimited : styles.after}>
                  {target.perDay.after.text}
                </span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Becomes(): ReactElement {
  return (
    <span className={styles.arrow} role="img" aria-label="becomes">
      <Icon name="arrow-right" size={12} />
    </span>
  );
}
