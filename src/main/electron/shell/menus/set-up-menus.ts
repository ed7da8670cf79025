import { app, BrowserWindow, Menu, nativeImage, type NativeImage, Tray } from 'electron';
import { appPushes, type MenuCommand } from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../../core-link/supervisor.ts';
import { after } from '#system/after.ts';
import type { AppWindow } from '../../windows/app-window.ts';
import type { EmergencyStop } from '../emergency-stop.ts';
import { watchFrozen, watchWaitingCount } from '../follow-core.ts';
import {
  type MenuActions,
  menuTemplate,
  type TrayActions,
  trayMenu,
  type TrayState,
  trayTooltip,
} from './menus.ts';
import { trayPictures } from '../../platform/app-image.ts';

export interface MenuOptions {
  appWindow: AppWindow;
  core: CoreSupervisor;
  emergencyStop: EmergencyStop;
  training: { open(): void; appWindow(): AppWindow | null };
  copyDiagnostics: () => Promise<void>;
  openDataFolder: () => Promise<void>;
}

/** Training has no settings, updates or first start of its own, so these commands go to the real app. */
const ofRealApp: ReadonlySet<MenuCommand> = new Set(['go.settings', 'updates', 'first-start', 'about']);

export function setUpMenu(options: MenuOptions): () => void {
  const { appWindow, core, emergencyStop, training, copyDiagnostics, openDataFolder } = options;
  const target = (): AppWindow => {
    const trained = training.appWindow();
    return trained?.isFocused() === true ? trained : appWindow;
  };
  const isOtherWindowFocused = (): boolean => {
    const focused = BrowserWindow.getFocusedWindow();
    return focused !== null && focused !== target().browserWindow();
  };
  const actions: MenuActions = {
    command(command, byKey) {
      // A shortcut pressed in the confirmation window must not change the page behind it.
      if (byKey && isOtherWindowFocused()) return;
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

const toProposals: MenuCommand = 'go.proposals';

interface TrayOptions {
  core: CoreSupervisor;
  appWindow: AppWindow;
  emergencyStop: EmergencyStop;
}

export function setUpTray({ core, appWindow, emergencyStop }: TrayOptions): () => void {
  const tray = new Tray(trayImage());
  const actions: TrayActions = {
    open: () => appWindow.focus(),
    openProposals() {
      appWindow.focus();
      appWindow.send(appPushes.menuCommand, toProposals);
    },
    stop: () => void emergencyStop.press(),
    thaw: () => void emergencyStop.thaw(),
    quit: () => app.quit(),
  };
  let state: TrayState = { waiting: null, frozen: false };
  const draw = (change: Partial<TrayState>): void => {
    state = { ...state, ...change };
    const count = state.waiting;
    tray.setToolTip(trayTooltip(state));
    // On Linux a tray keeps showing the menu object that was set last, so each state needs a new menu.
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(state, actions)));
    if (process.platform === 'darwin') tray.setTitle(count === null || count === 0 ? '' : String(count));
  };
  draw({});
  // On macOS a click opens the menu and this event does not occur.
  if (process.platform !== 'darwin') tray.on('click', actions.open);
  const stopCount = watchWaitingCount({ core, onChange: (waiting) => draw({ waiting }), after });
  const stopFrozen = watchFrozen({ core, onChange: (frozen) => draw({ frozen: frozen === true }), after });
  return () => {
    stopCount();
    stopFrozen();
    tray.destroy();
  };
}

function trayImage(): NativeImage {
  const template = process.platform === 'darwin';
  const [small, large] = template
    ? (['tray-template-16.png', 'tray-template-32.png'] as const)
    : (['icon-16.png', 'icon-32.png'] as const);
  const image = nativeImage.createFromBuffer(Buffer.from(trayPictures[small], 'base64'));
  image.addRepresentation({ scaleFactor: 2, buffer: Buffer.from(trayPictures[large], 'base64') });
  image.setTemplateImage(template);
  return image;
}

export function setUpBadge(core: CoreSupervisor): () => void {
  if (process.platform === 'win32') return () => {};
  return watchWaitingCount({ core, after, onChange: (count) => void app.setBadgeCount(count ?? 0) });
}
