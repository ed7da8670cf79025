import { desktopStore, vaultNotice } from '#renderer/stores/desktop/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { Banner, Button, Dialog } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from '../dialogs.module.css';

/** Why secrets last for this session only, and what a person can do about it. */
export function VaultDialog(): ReactElement | null {
  const state = useStore(desktopStore);
  const close = (): void => uiStore.getState().show(null);
  const notice = vaultNotice(state);
  if (notice === null) return null;
  const dismiss = (): void => {
    state.dismissNotice();
    close();
  };
  return (
    <Dialog title="Secrets last until you quit" onClose={close}>
      <div className={styles.text}>
        {state.failure && (
          <Banner tone="warning" title={state.failure.message}>
            {state.failure.next}
          </Banner>
        )}
        <p>{notice.why}</p>
        <p>
          Sign-ins are forgotten when you quit, and the ledger signs with a new key at each start. Campaigns,
          proposals and the ledger itself are kept as always.
        </p>
        <div className={styles.vaultActions}>
          {notice.mayKeep && (
            <Button onClick={() => void state.keepSecrets()}>Keep secrets on this computer…</Button>
          )}
          <Button onClick={dismiss}>Do not remind me until the next start</Button>
        </div>
      </div>
    </Dialog>
  );
}
