import './schemas-without-code.ts';
import '#renderer/ui/styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createDesktopConfirmBridge, createHttpConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import { isTraining } from '#renderer/api/bridge.ts';
import { EmptyState, Region } from '#renderer/ui/index.ts';
import { ConfirmPage } from './confirm-page.tsx';
import styles from './page.module.css';
import { createConfirmation } from './state/confirmation.ts';

const themeKey = 'countersign.theme';

/** The app page puts the theme into the address (`#ticket=…&theme=dark`), because this origin cannot read its settings. */
function applyTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    const chosen = sessionStorage.getItem(themeKey) ?? (dark.matches ? 'dark' : 'light');
    document.documentElement.dataset['theme'] = chosen;
  };
  const follow = (): void => {
    const asked = new URLSearchParams(location.hash.slice(1)).get('theme');
    if (asked === 'light' || asked === 'dark') sessionStorage.setItem(themeKey, asked);
    apply();
  };
  dark.addEventListener('change', apply);
  // A reused window gets a new address, which contains the current theme.
  window.addEventListener('hashchange', follow);
  follow();
}

applyTheme();
if (isTraining()) document.title = 'Training · Confirm a practice change';

const host = window.countersignConfirm;

const confirmation = createConfirmation({
  bridge: host ? createDesktopConfirmBridge(host) : createHttpConfirmBridge(),
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  isAttentive: () => document.visibilityState === 'visible' && document.hasFocus(),
});
confirmation.start();

const confirmFault = (
  <main className={styles.page} role="alert">
    <EmptyState icon="alert-circle" title="This window stopped working">
      What you decided is in the ledger, and everything else still waits. Close this window, and review it
      again from Proposals.
    </EmptyState>
  </main>
);

const root = document.getElementById('root');
if (root === null) throw new Error('confirm.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Region fallback={confirmFault}>
      <ConfirmPage confirmation={confirmation} />
    </Region>
  </StrictMode>,
);
