import { app, Menu, nativeImage, type NativeImage, Tray } from 'electron';
import { appPushes, type MenuCommand } from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../../core-link/index.ts';
import { after } from '#system/after.ts';
import { trayPictures } from '../../platform/pictures.ts';
import type { AppWindow } from '../../windows/index.ts';
import type { EmergencyStop } from '../emergency-stop.ts';
import { watchFrozen, watchWaitingCount } from '../follow-core.ts';
import { type TrayActions, trayMenu, type TrayState, trayTooltip } from './menus.ts';

const toProposals: MenuCommand = 'go.proposals';

export interface TrayOptions {
  core: CoreSupervisor;
  appWindow: AppWindow;
  emergencyStop: EmergencyStop;
}

/**
 * The mark in the tray, with how many changes wait and the emergency stop. Many Linux desktops show none; nothing depends on it.
 */
export function setUpTray({ core, appWindow, emergencyStop }: TrayOptions): () => void {
  const tray = new Tray(picture());
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
    // A tray on Linux shows the menu that it was given last, so each state is a menu of its own.
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(state, actions)));
    if (process.platform === 'darwin') tray.setTitle(count === null || count === 0 ? '' : String(count));
  };
  draw({});
  // On macOS a press opens the menu, and this event does not occur.
  if (process.platform !== 'darwin') tray.on('click', actions.open);
  const stopCount = watchWaitingCount({ core, onChange: (waiting) => draw({ waiting }), after });
  const stopFrozen = watchFrozen({ core, onChange: (frozen) => draw({ frozen: frozen === true }), after });
  return () => {
    stopCount();
    stopFrozen();
    tray.destroy();
  };
}

function picture(): NativeImage {
  const template = process.platform === 'darwin';
  const [small, large] = template
    ? (['tray-template-16.png', 'tray-template-32.png'] as const)
    : (['icon-16.png', 'icon-32.png'] as const);
  const image = nativeImage.createFromBuffer(Buffer.from(trayPictures[small], 'base64'));
  image.addRepresentation({ scaleFactor: 2, buffer: Buffer.from(trayPictures[large], 'base64') });
  image.setTemplateImage(template);
  return image;
}

/** The count of waiting changes on the dock or launcher, where there is one. Windows has none without a picture for each count. */
export function setUpBadge(core: CoreSupervisor): () => void {
  if (process.platform === 'win32') return () => {};
  return watchWaitingCount({ core, after, onChange: (count) => void app.setBadgeCount(count ?? 0) });
}
