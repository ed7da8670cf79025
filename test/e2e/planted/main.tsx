import '#renderer/confirm/schemas-without-code.ts';
import type { ConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import { ConfirmPage } from '#renderer/confirm/confirm-page.tsx';
import { createConfirmation } from '#renderer/confirm/confirmation.ts';
import type { Showing } from '#shared/host-api/index.ts';
import { createRoot } from 'react-dom/client';

/** The confirmation around a showing that the test hands in as `plantedShowing`; it decides nothing. */
const { plantedShowing } = window as unknown as { plantedShowing: Showing };
document.documentElement.dataset['theme'] = new URLSearchParams(location.search).get('theme') ?? 'light';

const bridge: ConfirmBridge = {
  open: async () => plantedShowing,
  look: async () => plantedShowing,
  seen: async () => {},
  decide: () => new Promise(() => {}),
  close: async () => {},
  picture: () => new Promise(() => {}),
  prepareAgain: () => new Promise(() => {}),
  undo: () => new Promise(() => {}),
  turn: () => new Promise(() => {}),
  onReopened: () => () => {},
  onWaiting: () => () => {},
};
const confirmation = createConfirmation({
  bridge,
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  isAttentive: () => true,
});
confirmation.start();

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(<ConfirmPage confirmation={confirmation} />);
