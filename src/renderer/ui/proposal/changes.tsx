import { memo, type ReactElement } from 'react';
import type { ChangeView } from '#shared/campaign/index.ts';
import { DiffLine } from '../display/diff.tsx';
import { Banner } from '../display/notices.tsx';
import { LongList } from '../layout/virtual-list.tsx';
import styles from './changes.module.css';
import { type ListedTargets, TargetList, type TargetView } from './targets.tsx';
import { useFormats } from '../formats.ts';
import { targetCount } from '#shared/wording/index.ts';

export interface WhatChangesProps {
  changes: readonly ChangeView[];
  /** Number of fields that stay as they are. */
  unchangedCount: number;
  targets: readonly TargetView[];
  /** Present where the campaigns are read in pages. */
  listed?: ListedTargets | undefined;
}

/** Every change of a proposal: field by field for one campaign, campaign by campaign for several. Drawn once: it may be long. */
export const WhatChanges = memo(function WhatChanges({
  changes,
  unchangedCount,
  targets,
  listed,
}: WhatChangesProps): ReactElement {
  const formats = useFormats();
  const byTarget = targets.length > 1 || changes.length === 0;
  const all = formats.counted(changes.length + unchangedCount, 'field');
  const fields = unchangedCount > 0 ? `${changes.length} of ${all}` : all;
  return (
    <section aria-label="What changes">
      <Rule title="What changes" aside={byTarget ? targetCount(listed ?? targets, formats) : fields} />
      {byTarget ? (
        <TargetList targets={targets} listed={listed} />
      ) : (
        changes.map((change) => <DiffLine key={change.field} change={change} />)
      )}
    </section>
  );
});

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
        <MovedList moved={moved} />
      </Banner>
    );
  }
  return (
    <Banner tone="warning" title="Someone else changed this campaign. Nothing was sent.">
      <p>Your change is now on top of theirs:</p>
      <MovedList moved={moved} />
    </Banner>
  );
}

function MovedList({ moved }: { moved: readonly ChangeView[] }): ReactElement {
  return (
    <LongList
      label="What changed meanwhile"
      items={moved}
      keyOf={({ field }) => field}
      estimatedHeight={31}
      render={(change) => <DiffLine change={change} />}
    />
  );
}
