import { BrowserWindow, Notification } from 'electron';
import { counted } from '#shared/lib/counted.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import type { AppWindow } from '../windows/index.ts';
import { after } from '../after.ts';
import { createArrivals } from './arrivals.ts';
import { watchNewProposals } from './new-proposals.ts';

/**
 * Says that changes wait, while no window of ours has the focus. It names no campaign (a locked screen shows it, and the
 * words would be foreign), has no buttons, and a press on it only opens the window.
 */
export function setUpNotifications(parts: { core: CoreSupervisor; appWindow: AppWindow }): () => void {
  const { core, appWindow } = parts;
  const looking = (): boolean => BrowserWindow.getFocusedWindow() !== null;
  let current: Notification | null = null;
  const arrivals = createArrivals({ after, notify: (count) => (looking() ? undefined : show(count)) });

  function show(count: number): void {
    if (!Notification.isSupported()) return;
    current?.close();
    // Held here: a notification that is collected no longer hears its press.
    current = new Notification({
      title: count === 1 ? 'A change waits for you' : `${counted(count, 'change')} wait for you`,
      body: 'Nothing is sent until you decide in Countersign.',
    });
    current.on('click', () => appWindow.focus());
    current.show();
  }

  const stopFocus = appWindow.onFocusChanged((focused) => {
    if (!focused) return;
    arrivals.forget();
    current?.close();
  });
  const stopNew = watchNewProposals(core, () => (looking() ? undefined : arrivals.arrive()));
  return () => {
    stopFocus();
    stopNew();
    arrivals.stop();
    current?.close();
  };
}
