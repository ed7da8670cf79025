import { dated, perDayWords } from '#shared/campaign/index.ts';
import { counted } from '#shared/lib/counted.ts';
import type { ReactElement } from 'react';
import { Icon } from '../display/icon.tsx';
import { LongText } from '../display/long-text.tsx';
import { StatusPill } from '../display/status-pill.tsx';
import type { FigurePair } from './riskiest.ts';
import { stays } from './target-words.ts';
import styles from './changes.module.css';

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
    <table className={styles.table} aria-label={`All ${counted(targets.length, 'campaign')}`}>
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
                <PerDay pair={target.perDay} isStill={stays(target)} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function PerDay({ pair, isStill }: { pair: FigurePair; isStill: boolean }): ReactElement {
  const { before, after } = pair;
  const words = perDayWords(pair, new Date().getFullYear());
  const isFreed = after.unlimited && !before.unlimited && !isStill;
  return (
    <>
      {!isStill && words.changes && (
        <>
          <span className={styles.targetBefore}>{dated(before.text, words.before)}</span>
          <Becomes />
        </>
      )}
      <span className={isFreed ? styles.targetUnlimited : styles.targetAfter}>
        {dated(after.text, words.after || words.day)}
      </span>
    </>
  );
}

function Becomes(): ReactElement {
  return (
    <span className={styles.targetArrow} role="img" aria-label="becomes">
      <Icon name="arrow-right" size={12} />
    </span>
  );
}
