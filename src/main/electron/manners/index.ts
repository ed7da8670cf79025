export { collectDiagnostics } from './collect-diagnostics.ts';
export { setUpBadge } from './set-up-badge.ts';
export { setUpMenu } from './set-up-menu.ts';
export { setUpNotifications } from './set-up-notifications.ts';
export { setUpPower } from './set-up-power.ts';
export { setUpQuit } from './set-up-quit.ts';
export { setUpTheme } from './set-up-theme.ts';
export { setUpTray } from './set-up-tray.ts';
