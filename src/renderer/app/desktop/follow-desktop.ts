import type { DesktopHost } from '#renderer/api/desktop-host.ts';
import { desktopStore } from '#renderer/stores/desktop/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { doMenuCommand } from './menu-command.ts';

/** Joins the page to the desktop around it: its menu leads here, and its windows follow the theme that is chosen here. */
export function followDesktop(host: DesktopHost): void {
  const { start, setTheme } = desktopStore.getState();
  host.onMenuCommand((command) => doMenuCommand(command, uiStore.getState()));
  void setTheme(uiStore.getState().theme);
  uiStore.subscribe((now, before) => {
    if (now.theme !== before.theme) void setTheme(now.theme);
  });
  void start();
}
