import { app, Menu, nativeImage, Tray, type NativeImage } from 'electron';
import { appPushes, type MenuCommand } from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import type { AppWindow } from '../windows/index.ts';
import { after } from '../after.ts';
import { trayPictures } from './tray-pictures.ts';
import { trayMenu, trayTooltip, type TrayActions } from './tray-words.ts';
import { watchWaitingCount } from './waiting-count.ts';

const toProposals: MenuCommand = 'go.proposals';

/** The mark in the tray, with how many changes wait. Many Linux desktops show none; nothing depends on it. */
export function setUpTray({ core, appWindow }: { core: CoreSupervisor; appWindow: AppWindow }): () => void {
  const tray = new Tray(picture());
  const actions: TrayActions = {
    open: () => appWindow.focus(),
    openProposals() {
      appWindow.focus();
      appWindow.send(appPushes.menuCommand, toProposals);
    },
    quit: () => app.quit(),
  };
  const draw = (count: number | null): void => {
    tray.setToolTip(trayTooltip(count));
    // A tray on Linux shows the menu that it was given last, so each count is a menu of its own.
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(count, actions)));
    if (process.platform === 'darwin') tray.setTitle(count === null || count === 0 ? '' : String(count));
  };
  draw(null);
  // Where a press opens the menu, as on macOS, this does not come.
  if (process.platform !== 'darwin') tray.on('click', actions.open);
  const stop = watchWaitingCount({ core, hear: draw, after });
  return () => {
    stop();
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
