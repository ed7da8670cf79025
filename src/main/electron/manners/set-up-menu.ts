import { app, BrowserWindow, Menu } from 'electron';
import { appPushes } from '#shared/host-api/index.ts';
import type { AppWindow } from '../windows/index.ts';
import { menuTemplate } from './menu-template.ts';
import { showAbout } from './show-about.ts';

export interface MenuOptions {
  appWindow: AppWindow;
  copyDiagnostics: () => Promise<void>;
  openDataFolder: () => Promise<void>;
}

/** The native menu of the application and of every window. */
export function setUpMenu({ appWindow, copyDiagnostics, openDataFolder }: MenuOptions): void {
  /** True while the confirmation, or a dialog of its, has the keyboard. */
  const elsewhere = (): boolean => {
    const focused = BrowserWindow.getFocusedWindow();
    return focused !== null && focused !== appWindow.browserWindow();
  };
  const template = menuTemplate(
    { platform: process.platform, packaged: app.isPackaged },
    {
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
    },
  );
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
