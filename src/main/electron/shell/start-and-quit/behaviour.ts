import { app } from 'electron';
import type { Behaviour } from '#shared/host-api/index.ts';
import { runningAppImage } from '../../platform/app-image.ts';
import type { Settings } from '../../platform/settings.ts';
import { closeMeans } from '../../windows/title-and-closing.ts';
import { atLogin, autostartFile, type LoginStart } from './start-at-login.ts';

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

/** True if the session of the system has started this program, and not a person. */
export function wasStartedAtLogin(args: readonly string[] = process.argv): boolean {
  if (process.platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin;
  return args.includes(atLogin);
}

function systemLogin(): LoginStart {
  if (process.platform === 'linux') return autostartFile(() => [...programNow(), atLogin]);
  // Windows keeps the arguments with the entry, and finds it by them; macOS has none.
  const args = process.platform === 'win32' ? { args: [atLogin] } : {};
  return {
    isOn: () => app.getLoginItemSettings(args).openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, ...args }),
  };
}

/** The program as it was started: an AppImage by its own file, a development build with the folder of its app. */
function programNow(): string[] {
  const image = runningAppImage();
  if (image !== undefined) return [image];
  return app.isPackaged ? [process.execPath] : [process.execPath, app.getAppPath()];
}
