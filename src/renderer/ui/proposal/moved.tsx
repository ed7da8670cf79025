import type { ChangeView } from '#shared/campaign/index.ts';
import type { ReactElement } from 'react';
import { Banner } from '../display/banner.tsx';
import { DiffLine } from '../display/diff-line.tsx';

/** What moved since the person last looked, and that this is the change on top of it. */
export function Moved({ moved }: { moved: readonly ChangeView[] }): ReactElement {
  return (
    <Banner tone="warning" title="The campaign moved while you were reading. Nothing was sent.">
      <p>This is the change on top of the new state. Look at it again before you decide. What moved:</p>
      {moved.map((change) => (
        <DiffLine key={change.field} change={change} />
      ))}
    </Banner>
  );
}
