import './schemas-without-code.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createDesktopConfirmBridge } from '#renderer/api/desktop-confirm-bridge.ts';
import { createHttpConfirmBridge } from '#renderer/api/http-confirm-bridge.ts';
import '#renderer/ui/styles/base.css';
import { applyTheme } from './theme.ts';
import { ConfirmPage } from './confirm-page.tsx';
import { createConfirmation } from './flow/confirmation.ts';

applyTheme();

const host = window.countersignConfirm;

const confirmation = createConfirmation({
  bridge: host ? createDesktopConfirmBridge(host) : createHttpConfirmBridge(),
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  isAttentive: () => document.visibilityState === 'visible' && document.hasFocus(),
});
confirmation.start();

const root = document.getElementById('root');
if (root === null) throw new Error('confirm.html has no #root');
createRoot(root).render(
  <StrictMode>
    <ConfirmPage confirmation={confirmation} />
  </StrictMode>,
);
