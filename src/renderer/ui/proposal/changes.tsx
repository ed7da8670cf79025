import { memo, type ReactElement } from 'react';
import { type ChangeView, dated, perDayWords } from '#shared/campaign/index.ts';
import { DiffLine } from '../display/diff.tsx';
import { Icon } from '../display/icon.tsx';
import { Banner } from '../display/notices.tsx';
import { StatusPill } from '../display/pills.tsx';
import { LongText } from '../display/values.tsx';
import styles from './changes.module.css';
import { stays, targetCount } from './proposal-words.ts';
import type { FigurePair } from './risk-figures.tsx';
import { useFormats } from '../formats.ts';

export interface WhatChangesProps {
  changes: readonly ChangeView[];
  /** Number of fields that stay as they are. */
  unchangedCount: number;
  targets: readonly TargetView[];
}

/** Every change of a proposal: field by field for one campaign, campaign by campaign for several. Drawn once: it may be long. */
export const WhatChanges = memo(function WhatChanges({
  changes,
  unchangedCount,
  targets,
}: WhatChangesProps): ReactElement {
  const formats = useFormats();
  const byTarget = targets.length > 1 || changes.length === 0;
  const all = formats.counted(changes.length + unchangedCount, 'field');
  const fields = unchangedCount > 0 ? `${changes.length} of ${all}` : all;
  return (
    <section aria-label="What changes">
      <Rule title="What changes" aside={byTarget ? targetCount(targets, formats) : fields} />
      {byTarget ? (
        <TargetList targets={targets} />
      ) : (
        changes.map((change) => <DiffLine key={change.field} change={change} />)
      )}
    </section>
  );
});

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
  const formats = useFormats();
  return (
    <table className={styles.table} aria-label={`All ${formats.counted(targets.length, 'campaign')}`}>
      <thead>
        <tr>
          <th scope="col" className={styles.number}>
            ID
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
  const { changes, unlabelled } = perDayWords(pair, new Date().getFullYear());
  const isFreed = after.unlimited && !before.unlimited && !isStill;
  return (
    <>
      {!isStill && changes && (
        <>
          <span className={styles.targetBefore}>{dated(before.text, unlabelled.before)}</span>
          <Becomes />
        </>
      )}
      <span className={isFreed ? styles.targetUnlimited : styles.targetAfter}>
        {dated(after.text, unlabelled.after)}
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

/** A heading on a line, with a count beside it. */
export function Rule({ title, aside }: { title: string; aside?: string | undefined }): ReactElement {
  return (
    <div className={styles.rule}>
      <h2>{title}</h2>
      {aside !== undefined && <span>{aside}</span>}
    </div>
  );
}

/** A waiting change that the service would not take any more: it can be denied, and prepared again where that is known how. */
export function ApprovalEnded({
  canPrepareAgain = false,
}: {
  canPrepareAgain?: boolean | undefined;
}): ReactElement {
  return (
    <Banner tone="info" icon="clock" title="The service’s approval of this change has ended.">
      {canPrepareAgain
        ? 'Prepare it again to see what has changed since, and decide.'
        : 'Its agent has to propose it again. Nothing was sent.'}
    </Banner>
  );
}

/**
 * A notice that the campaign changed since the user last looked, or that the change was prepared again, and that this is the change on
 * top of it.
 */
export function Outdated(props: { moved: readonly ChangeView[]; preparedAgain?: boolean }): ReactElement {
  const { moved, preparedAgain = false } = props;
  if (preparedAgain) {
    return (
      <Banner tone={moved.length === 0 ? 'info' : 'warning'} title="Prepared again. Nothing was sent.">
        <p>{moved.length === 0 ? 'Nothing else has changed since.' : 'What has changed since:'}</p>
        {moved.map((change) => (
          <DiffLine key={change.field} change={change} />
        ))}
      </Banner>
    );
  }
  return (
    <Banner tone="warning" title="Someone else changed this campaign. Nothing was sent.">
      <p>Below is your change on top of theirs. They changed:</p>
      {moved.map((change) => (
        <DiffLine key={change.field} change={change} />
      ))}
    </Banner>
  );
}
