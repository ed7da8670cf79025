import { reviewStore } from '#renderer/stores/review/index.ts';
import { Banner, IconButton, Toast, ToastRegion } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';

/** A confirmation that could not open by itself: the link to open it, or why there is none. */
export function ReviewToast(): ReactElement | null {
  const { blocked, failure, dismiss } = useStore(reviewStore);
  if (!blocked && !failure) return null;
  const close = <IconButton icon="close" size="small" label="Dismiss" onClick={dismiss} />;
  return (
    <ToastRegion>
      <Toast>
        {blocked ? (
          <Banner tone="info" icon="external" title="Pop-up blocked" actions={close}>
            <a href={blocked.address} target="countersign-confirm" onClick={dismiss}>
              Open the confirmation
            </a>
          </Banner>
        ) : (
          <Banner tone="danger" title={failure?.message ?? ''} actions={close}>
            {failure?.next}
          </Banner>
        )}
      </Toast>
    </ToastRegion>
  );
}
