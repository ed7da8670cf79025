import { app, BrowserWindow, Menu } from 'electron';
import { appPushes, type MenuCommand } from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../../core-link/index.ts';
import { after } from '#system/after.ts';
import type { AppWindow } from '../../windows/index.ts';
import type { EmergencyStop } from '../emergency-stop.ts';
import { watchFrozen } from '../follow-core.ts';
import { type MenuActions, menuTemplate } from './menus.ts';

export interface MenuOptions {
  appWindow: AppWindow;
  core: CoreSupervisor;
  emergencyStop: EmergencyStop;
  training: { open(): void; appWindow(): AppWindow | null };
  copyDiagnostics: () => Promise<void>;
  openDataFolder: () => Promise<void>;
}

/** Training has no settings, no updates and no first start of its own: there nothing leads to a service or to a mission. */
const ofRealApp: ReadonlySet<MenuCommand> = new Set(['go.settings', 'updates', 'first-start', 'about']);

/** The native menu of the application and of every window. */
export function setUpMenu(options: MenuOptions): () => void {
  const { appWindow, core, emergencyStop, training, copyDiagnostics, openDataFolder } = options;
  /** The app's window that has the keyboard: that of training, or the real one. */
  const target = (): AppWindow => {
    const trained = training.appWindow();
    return trained?.isFocused() === true ? trained : appWindow;
  };
  /** True while a confirmation, or a dialog of its, has the keyboard. */
  const elsewhere = (): boolean => {
    const focused = BrowserWindow.getFocusedWindow();
    return focused !== null && focused !== target().browserWindow();
  };
  const actions: MenuActions = {
    command(command, byKey) {
      // A key pressed over the confirmation never moves the page behind it.
      if (byKey && elsewhere()) return;
      const window = ofRealApp.has(command) ? appWindow : target();
      window.focus();
      window.send(appPushes.menuCommand, command);
    },
    reload: () => target().browserWindow()?.webContents.reload(),
    toggleDevTools: () => BrowserWindow.getFocusedWindow()?.webContents.toggleDevTools(),
    openDataFolder: () => void openDataFolder(),
    copyDiagnostics: () => void copyDiagnostics(),
    emergencyStop: () => void emergencyStop.press(),
    thawAgents: () => void emergencyStop.thaw(),
    openTraining: () => training.open(),
  };
  const draw = (frozen: boolean): void => {
    const template = menuTemplate({ platform: process.platform, packaged: app.isPackaged, frozen }, actions);
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };
  draw(false);
  return watchFrozen({ core, after, onChange: (frozen) => draw(frozen === true) });
}
