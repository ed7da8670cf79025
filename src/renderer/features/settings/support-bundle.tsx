import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { supportStore } from './stores/support-store.ts';
import { Banner, Button, Card, Dialog, DialogFoot } from '#renderer/ui/index.ts';
import styles from './settings.module.css';

/** Diagnostics for the support, shown before they are saved. */
export function SupportCard(): ReactElement {
  const failure = useStore(supportStore, (state) => state.failure);
  return (
    <Card title="Support bundle" level={2} actions={<SupportButton />}>
      <p className={styles.quiet}>Versions, counts and recent logs, without secrets.</p>
      {failure && (
        <Banner tone="danger" title={failure.message}>
          {failure.next}
        </Banner>
      )}
    </Card>
  );
}

/** Opens the support bundle. It also works while the core is away: the desktop has diagnostics of its own. */
export function SupportButton(): ReactElement {
  const { text, collect } = useStore(supportStore);
  return (
    <>
      <Button icon="file" onClick={() => void collect()}>
        Support bundle…
      </Button>
      {text !== null && <Bundle text={text} />}
    </>
  );
}

function Bundle({ text }: { text: string }): ReactElement {
  const { flow, save, close } = useStore(supportStore);
  return (
    <Dialog title="Support bundle" onClose={close}>
      <div className={styles.dialog}>
        <p className={styles.text}>Read it, then save it and send it yourself.</p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard scrolls only what can have the focus */}
        <pre className={styles.report} tabIndex={0} aria-label="Content of the support bundle">
          {text}
        </pre>
        {flow.kind === 'saved' && <Banner tone="good" title={`Saved as ${flow.name}`} />}
        {flow.kind === 'failed' && (
          <Banner tone="danger" title={flow.failure.message}>
            {flow.failure.next}
          </Banner>
        )}
        <DialogFoot>
          <Button onClick={close}>Close</Button>
          <Button kind="primary" icon="download" onClick={() => void save()}>
            Save…
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}
