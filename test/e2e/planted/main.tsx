import '#renderer/confirm/schemas-without-code.ts';
import type { ConfirmBridge } from '#renderer/api/confirm-bridge.ts';
import { ConfirmPage } from '#renderer/confirm/confirm-page.tsx';
import { createConfirmation } from '#renderer/confirm/state/confirmation.ts';
import type { Display } from '#shared/host-api/index.ts';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

document.documentElement.dataset['theme'] = new URLSearchParams(location.search).get('theme') ?? 'light';

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root');
const root = createRoot(element);
let stop = (): void => {};

/** Draws the confirmation that the test passes, replacing the previous one. It sends no decision. */
function draw(display: Display): void {
  const bridge: ConfirmBridge = {
    open: async () => display,
    look: async () => display,
    seen: async () => {},
    decide: () => new Promise(() => {}),
    close: async () => {},
    picture: () => new Promise(() => {}),
    targets: () => new Promise(() => {}),
    prepareAgain: () => new Promise(() => {}),
    undo: () => new Promise(() => {}),
    step: () => new Promise(() => {}),
    progress: () => new Promise(() => {}),
    onReopened: () => () => {},
    onWaiting: () => () => {},
  };
  stop();
  flushSync(() => root.render(null));
  const confirmation = createConfirmation({
    bridge,
    monotonicMs: () => performance.now(),
    wallMs: () => Date.now(),
    isAttentive: () => true,
  });
  stop = confirmation.start();
  root.render(<ConfirmPage confirmation={confirmation} />);
}

Object.assign(window, { draw });
