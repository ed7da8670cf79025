import { useEffect, useRef, useState, type ReactElement } from 'react';
import { alertsStore } from '#renderer/stores/alerts-store.ts';
import { Banner, Button, common, cx, ForeignText, IconButton } from '#renderer/ui/index.ts';
import { inertStart } from '#shared/lib/inert-text.ts';
import { valueLabel } from '#shared/reports/index.ts';
import { sourceLabel } from '../marks/mark-control.tsx';
import { goToPart, rowActionsStore } from '../stores/stores.ts';
import type { WatchedFigures } from '../stores/row-actions-store.ts';
import styles from '../panels.module.css';
import { AlertForm } from './alert-form.tsx';

const maxShownLength = 60;

interface AlertPanelProps {
  watched: WatchedFigures;
  onClose: () => void;
}

/** The editor of an alert, next to the figures from which it is made. */
export function AlertPanel({ watched, onClose }: AlertPanelProps): ReactElement {
  const [added, setAdded] = useState(false);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (added || watched.scope.kind === 'none')
      panel.current?.querySelector<HTMLElement>('p button, button')?.focus();
  }, [added, watched]);
  const { scope, source, metric } = watched;
  const only = scope.kind === 'none' ? null : scope.only;
  return (
    <section
      ref={panel}
      className={styles.drillPanel}
      aria-label="New alert"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <header className={cx(common.row2, styles.head)}>
        <h2 className={cx(common.heading, styles.title)}>
          Alert me about{' '}
          {only === null ? (
            sourceLabel(source)
          ) : (
            <ForeignText text={inertStart(valueLabel(only.dimension, only.value), maxShownLength)} />
          )}
        </h2>
        <IconButton icon="close" size="small" label="Close" onClick={onClose} />
      </header>
      <div className={styles.notePanel}>
        {scope.kind === 'none' ? (
          <Banner tone="info" title="No alert can watch these figures">
            {scope.reason}
          </Banner>
        ) : added ? (
          <Banner
            tone="good"
            title="Alert added"
            actions={
              <>
                <Button size="small" onClick={showAlerts}>
                  Open alerts
                </Button>
                <Button size="small" kind="quiet" onClick={onClose}>
                  Close
                </Button>
              </>
            }
          />
        ) : (
          <AlertForm
            key={JSON.stringify(watched)}
            alert={null}
            source={source}
            only={only}
            proposeFor={metric}
            onDone={(saved) => {
              alertsStore.getState().dismiss();
              if (saved) setAdded(true);
              else onClose();
            }}
          />
        )}
      </div>
    </section>
  );
}

function showAlerts(): void {
  rowActionsStore.getState().set({ watched: null });
  goToPart('alerts');
}
