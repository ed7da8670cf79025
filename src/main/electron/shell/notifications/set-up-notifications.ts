import { BrowserWindow, Notification } from 'electron';
import { appPushes, type MenuCommand } from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../../core-link/supervisor.ts';
import { after } from '#system/after.ts';
import type { DesktopLog } from '../../platform/log.ts';
import type { Settings } from '../../platform/settings.ts';
import type { AppWindow } from '../../windows/app-window.ts';
import { watchNewProposals } from '../follow-core.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

interface Subject {
  title: (count: number) => string;
  body: string;
  opens: MenuCommand | null;
}

const proposals: Subject = {
  title: (count) =>
    count === 1 ? 'A change waits for you' : `${defaultFormats.counted(count, 'change')} wait for you`,
  body: 'Nothing is sent until you decide in Countersign.',
  opens: null,
};

const alerts: Subject = {
  title: (count) => `${defaultFormats.counted(count, 'report alert')} crossed`,
  body: 'Open Reports to see the figures. Nothing was changed.',
  opens: 'go.alerts',
};

/** Notifies of waiting changes and crossed alerts while no window has the focus. Names no campaign or value: locked screens show it. */
export function setUpNotifications(parts: {
  core: CoreSupervisor;
  appWindow: AppWindow;
  settings: Pick<Settings, 'get'>;
  log: DesktopLog;
}): () => void {
  const { core, appWindow, settings, log } = parts;
  const isOff = (): boolean => !settings.get('notifications');
  const ofProposals = createNotices({ appWindow, isOff, log }, proposals);
  const ofAlerts = createNotices({ appWindow, isOff, log }, alerts);
  const stopFocus = appWindow.onFocusChanged((focused) => {
    if (!focused) return;
    ofProposals.reset();
    ofAlerts.reset();
  });
  const stopNew = watchNewProposals(core, ofProposals.add);
  const stopAlerts = core.onEvent((event) => {
    if (event.kind === 'alerts.crossed') ofAlerts.add();
  });
  return () => {
    stopFocus();
    stopNew();
    stopAlerts();
    ofProposals.stop();
    ofAlerts.stop();
  };
}

function createNotices(
  { appWindow, isOff, log }: { appWindow: AppWindow; isOff: () => boolean; log: DesktopLog },
  { title, body, opens }: Subject,
) {
  let current: Notification | null = null;
  const isQuiet = (): boolean => isOff() || BrowserWindow.getFocusedWindow() !== null;
  const throttle = createNotificationThrottle({
    after,
    notify: (count) => (isQuiet() ? undefined : show(count)),
  });

  function show(count: number): void {
    if (!Notification.isSupported()) return;
    current?.close();
    // Keeps a reference: a garbage-collected notification does not receive its click.
    current = new Notification({ title: title(count), body });
    current.on('click', () => {
      appWindow.focus();
      if (opens !== null) appWindow.send(appPushes.menuCommand, opens);
    });
    current.on('failed', (_event, reason) => log.warn({ reason }, 'A notification could not be shown'));
    current.show();
  }

  return {
    add: () => (isQuiet() ? undefined : throttle.add()),
    reset() {
      throttle.reset();
      current?.close();
    },
    stop() {
      throttle.stop();
      current?.close();
    },
  };
}

const gatherMs = 1_000;
const quietMs = 30_000;

export interface NotificationThrottleOptions {
  notify: (count: number) => void;
  after: (delayMs: number, call: () => void) => () => void;
}

/** Counts additions, so that a burst causes one notification and a flood at most one every half minute. */
export interface NotificationThrottle {
  add(): void;
  reset(): void;
  stop(): void;
}

export function createNotificationThrottle({
  notify,
  after,
}: NotificationThrottleOptions): NotificationThrottle {
  let count = 0;
  let cancel: (() => void) | null = null;

  const wait = (delayMs: number): void => {
    cancel = after(delayMs, () => {
      cancel = null;
      if (count > 0) notifyNow();
    });
  };
  const notifyNow = (): void => {
    const added = count;
    count = 0;
    wait(quietMs);
    notify(added);
  };

  return {
    add() {
      count += 1;
      if (cancel === null) wait(gatherMs);
    },
    reset() {
      count = 0;
    },
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}
