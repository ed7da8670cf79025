import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { exportStore, leavesOut, ledgerStore } from '#renderer/stores/ledger/index.ts';
import { Button } from '#renderer/ui/index.ts';
import { counted } from '#shared/lib/counted.ts';

/** Writes what is shown into a file; while that goes on, says how far it is and can end it. */
export function ExportButton(): ReactElement {
  const { flow, begin, cancel } = useStore(exportStore);
  const { filter, list } = useStore(ledgerStore);
  if (flow.kind === 'running') {
    return (
      <>
        <span role="status">{progressWords(flow)}</span>
        <Button icon="close" onClick={cancel}>
          Cancel export
        </Button>
      </>
    );
  }
  return (
    <Button
      icon="download"
      disabled={list === null || list.total === 0}
      title="JSON Lines. A whole export verifies with countersign verify-ledger."
      onClick={() => void begin(filter)}
    >
      {leavesOut(filter) ? 'Export these rows…' : 'Export…'}
    </Button>
  );
}

function progressWords({ done, all }: { done: number; all: number | null }): string {
  if (all === null) return 'Exporting…';
  return `${done.toLocaleString('en-US')} of ${counted(all, 'row')}`;
}
