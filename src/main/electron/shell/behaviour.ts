import { app } from 'electron';
import type { Behaviour } from '#shared/host-api/index.ts';
import type { Settings } from '../platform/settings.ts';
import { closeMeans } from '../windows/index.ts';
import { autostartFile, type LoginStart } from './start-at-login.ts';

/** How the app behaves around its window: what the person chose, and what the system remembers of it. */
export interface BehaviourControl {
  now(): Behaviour;
  /** Fails as the disk does where the system keeps a file for it. */
  change(change: Partial<{ [K in keyof Behaviour]: Behaviour[K] | undefined }>): Behaviour;
}

export function createBehaviour(
  settings: Pick<Settings, 'get' | 'set'>,
  login: LoginStart = systemLogin(),
): BehaviourControl {
  const now = (): Behaviour => ({
    notifications: settings.get('notifications'),
    startAtLogin: login.isOn(),
    staysInTray: closeMeans(process.platform, settings.get('staysInTray')) === 'hide',
  });
  return {
    now,
    change({ notifications, startAtLogin, staysInTray }) {
      if (notifications !== undefined) settings.set('notifications', notifications);
      if (staysInTray !== undefined) settings.set('staysInTray', staysInTray);
      if (startAtLogin !== undefined) login.set(startAtLogin);
      return now();
    },
  };
}

function systemLogin(): LoginStart {
  if (process.platform === 'linux') return autostartFile(programNow);
  return {
    isOn: () => app.getLoginItemSettings().openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin }),
  };
}

/** The program as it was started: an AppImage by its own file, a development build with the folder of its app. */
function programNow(): string[] {
  const { APPIMAGE: image } = process.env;
  if (image !== undefined) return [image];
  return app.isPackaged ? [process.execPath] : [process.execPath, app.getAppPath()];
}
