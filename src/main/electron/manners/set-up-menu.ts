import { app, BrowserWindow, Menu } from 'electron';
import { appPushes } from '#shared/host-api/index.ts';
import { after } from '../after.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import type { AppWindow } from '../windows/index.ts';
import type { EmergencyStop } from './emergency-stop.ts';
import { menuTemplate, type MenuActions } from './menu-template.ts';
import { showAbout } from './show-about.ts';
import { watchFrozen } from './watch-frozen.ts';

export interface MenuOptions {
  appWindow: AppWindow;
  core: CoreSupervisor;
  emergencyStop: EmergencyStop;
  copyDiagnostics: () => Promise<void>;
  openDataFolder: () => Promise<void>;
}

/** The native menu of the application and of every window. */
export function setUpMenu(options: MenuOptions): () => void {
  const { appWindow, core, emergencyStop, copyDiagnostics, openDataFolder } = options;
  /** True while the confirmation, or a dialog of its, has the keyboard. */
  const elsewhere = (): boolean => {
    const focused = BrowserWindow.getFocusedWindow();
    return focused !== null && focused !== appWindow.browserWindow();
  };
  const actions: MenuActions = {
    command(command, byKey) {
      // A key pressed over the confirmation never moves the page behind it.
      if (byKey && elsewhere()) return;
      appWindow.focus();
      appWindow.send(appPushes.menuCommand, command);
    },
    reload: () => appWindow.browserWindow()?.webContents.reload(),
    toggleDevTools: () => BrowserWindow.getFocusedWindow()?.webContents.toggleDevTools(),
    about: () => void showAbout(),
    openDataFolder: () => void openDataFolder(),
    copyDiagnostics: () => void copyDiagnostics(),
    emergencyStop: () => void emergencyStop.press(),
    thawAgents: () => void emergencyStop.thaw(),
  };
  const draw = (frozen: boolean): void => {
    const template = menuTemplate({ platform: process.platform, packaged: app.isPackaged, frozen }, actions);
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };
  draw(false);
  return watchFrozen({ core, after, hear: (frozen) => draw(frozen === true) });
}
