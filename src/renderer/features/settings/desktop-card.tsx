import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import { behaviourStore } from '#renderer/stores/desktop/index.ts';
import { Banner, Card, Checkbox } from '#renderer/ui/index.ts';
import styles from './settings.module.css';

/** Notifications, start at login, and whether the app goes on without its window. */
export function DesktopCard(): ReactElement {
  const { behaviour, failure, read, change } = useStore(behaviourStore);
  useEffect(() => void read(), [read]);
  return (
    <Card title="Notifications and start" level={2}>
      {behaviour && (
        <div className={styles.boxes}>
          <Checkbox
            label="Notify me of waiting changes and crossed alerts"
            hint="While no window of Countersign has the focus. A notification names no campaign and decides nothing."
            checked={behaviour.notifications}
            onChange={(notifications) => void change({ notifications })}
          />
          <Checkbox
            label="Start Countersign when I sign in to this computer"
            hint="So that agents find it running. It opens its window as usual."
            checked={behaviour.startAtLogin}
            onChange={(startAtLogin) => void change({ startAtLogin })}
          />
          <Checkbox
            label="Keep running when the window is closed"
            hint="Agents and alerts go on reaching you; the icon in the tray opens the window again, and its menu quits."
            checked={behaviour.staysInTray}
            onChange={(staysInTray) => void change({ staysInTray })}
          />
        </div>
      )}
      {failure && (
        <Banner tone="warning" title={failure.message}>
          {failure.next}
        </Banner>
      )}
    </Card>
  );
}
