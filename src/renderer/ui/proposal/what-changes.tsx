import type { ChangeView } from '#shared/campaign/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { memo, type ReactElement } from 'react';
import { DiffLine } from '../display/diff-line.tsx';
import { TargetList, type TargetView } from './target-list.tsx';
import { targetCount } from './target-words.ts';
import { Rule } from './rule.tsx';

export interface WhatChangesProps {
  changes: readonly ChangeView[];
  /** How many fields stay as they are. */
  unchangedCount: number;
  targets: readonly TargetView[];
}

/** Every change of a proposal: field by field for one campaign, campaign by campaign for several. Drawn once: it may be long. */
export const WhatChanges = memo(function WhatChanges({
  changes,
  unchangedCount,
  targets,
}: WhatChangesProps): ReactElement {
  const byTarget = targets.length > 1 || changes.length === 0;
  const all = counted(changes.length + unchangedCount, 'field');
  const fields = unchangedCount > 0 ? `${changes.length} of ${all}` : all;
  return (
    <section aria-label="What changes">
      <Rule title="What changes" aside={byTarget ? targetCount(targets) : fields} />
      {byTarget ? (
        <TargetList targets={targets} />
      ) : (
        changes.map((change) => <DiffLine key={change.field} change={change} />)
      )}
    </section>
  );
});
