import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { exportStore } from '#renderer/stores/ledger/index.ts';
import { Banner, ForeignText, IconButton, Toast, ToastRegion } from '#renderer/ui/index.ts';
import { counted } from '#shared/lib/counted.ts';

/** How an export ended: the name of its file, or why there is none. */
export function ExportToast(): ReactElement | null {
  const { flow, dismiss } = useStore(exportStore);
  if (flow.kind !== 'exported' && flow.kind !== 'failed') return null;
  const close = <IconButton icon="close" size="small" label="Dismiss" onClick={dismiss} />;
  return (
    <ToastRegion>
      <Toast>
        {flow.kind === 'exported' ? (
          <Banner tone="good" title={`${counted(flow.rows, 'row')} exported.`} actions={close}>
            <ForeignText text={flow.name} /> verifies with <code>countersign verify-ledger</code>.
          </Banner>
        ) : (
          <Banner tone="danger" title={flow.failure.message} actions={close}>
            {flow.failure.next} Nothing of the file was kept.
          </Banner>
        )}
      </Toast>
    </ToastRegion>
  );
}
