import { isStatusCode, statusNames, type StatusCode } from '#shared/contract/index.ts';
import type { ReactElement } from 'react';
import { Pill, type PillTone } from './pill.tsx';

const tones: Record<StatusCode, { tone: PillTone; hollow: boolean }> = {
  0: { tone: 'waiting', hollow: true },
  1: { tone: 'good', hollow: false },
  2: { tone: 'bad', hollow: true },
  3: { tone: 'neutral', hollow: false },
  4: { tone: 'busy', hollow: true },
};

/** A campaign's status as a dot and the code's own name (contract §3). An unknown code is shown as it is. */
export function StatusPill({ status, framed }: { status: number; framed?: boolean }): ReactElement {
  if (!isStatusCode(status)) return <Pill tone="bad" label={`Status ${status}`} />;
  return <Pill {...tones[status]} label={statusNames[status]} framed={framed ?? false} />;
}
