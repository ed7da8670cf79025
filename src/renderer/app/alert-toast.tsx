import { alertsStore, unseenCrossings } from '#renderer/stores/report-alerts/index.ts';
import { Banner, IconButton, Toast, ToastRegion } from '#renderer/ui/index.ts';
import { counted } from '#shared/lib/counted.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';

/** Says that an alert of a report crossed, until it is dismissed or the alerts are opened. Nothing is done from here. */
export function AlertToast(): ReactElement | null {
  const { news, view, dismissNews } = useStore(alertsStore);
  if (news === null) return null;
  const count = unseenCrossings(view?.events);
  return (
    <ToastRegion>
      <Toast>
        <Banner
          tone="warning"
          icon="alerts"
          title={`${counted(count, 'report alert')} crossed`}
          actions={<IconButton icon="close" size="small" label="Dismiss" onClick={dismissNews} />}
        >
          <a href="#/reports?part=alerts" onClick={dismissNews}>
            Open alerts
          </a>
        </Banner>
      </Toast>
    </ToastRegion>
  );
}
