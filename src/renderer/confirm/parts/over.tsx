import type { ReactElement } from 'react';
import { ForeignText } from '#renderer/ui/index.ts';
import type { Flow } from '../flow/flow.ts';
import { OutcomeHead } from './outcome-head.tsx';

/** Nothing can be decided here any more, and why. */
export function Over({ flow }: { flow: Extract<Flow, { kind: 'over' }> }): ReactElement {
  return (
    <OutcomeHead icon="clock" tone="neutral" sentence={flow.message}>
      <p>{flow.next}</p>
      {flow.proposal && (
        <p>
          It was about: <ForeignText text={flow.proposal.title} />
        </p>
      )}
    </OutcomeHead>
  );
}
