import { filesStore } from '#renderer/stores/report-files/index.ts';
import { Banner, ForeignText, IconButton, Toast, ToastRegion } from '#renderer/ui/index.ts';
import { counted } from '#shared/lib/counted.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';

/** How an export ended: the name of its file, what was copied, or why there is none. */
export function FilesToast(): ReactElement | null {
  const { flow, dismiss } = useStore(filesStore);
  if (flow.kind === 'idle' || flow.kind === 'running') return null;
  const close = <IconButton icon="close" size="small" label="Dismiss" onClick={dismiss} />;
  return (
    <ToastRegion>
      <Toast>
        {flow.kind === 'saved' && (
          <Banner tone="good" title="Saved." actions={close}>
            <ForeignText text={flow.name} />
          </Banner>
        )}
        {flow.kind === 'copied' && (
          <Banner tone="good" title={`${counted(flow.rows, 'row')} copied.`} actions={close}>
            {flow.leftOut > 0 &&
              `${counted(flow.leftOut, 'row')} left out: save the table as CSV to have them all.`}
          </Banner>
        )}
        {flow.kind === 'failed' && (
          <Banner tone="danger" title={flow.failure.message} actions={close}>
            {flow.failure.next}
          </Banner>
        )}
      </Toast>
    </ToastRegion>
  );
}
