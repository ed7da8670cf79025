export { createBehaviour, wasStartedAtLogin } from './start-and-quit/behaviour.ts';
export { collectDiagnostics } from './diagnostics.ts';
export { createEmergencyStop, type EmergencyStop } from './emergency-stop.ts';
export { watchFrozen, watchMission, watchWaitingCount, type WaitingCountOptions } from './follow-core.ts';
export { askToOpenLink, nativeStopDialogs, nativeVaultDialogs } from './native-dialogs.ts';
export { resetHost } from './reset-host.ts';
export { setUpTheme, setUpTitle } from './set-up-appearance.ts';
export { setUpMenu, setUpBadge, setUpTray } from './menus/set-up-menus.ts';
export { setUpNotifications } from './notifications/set-up-notifications.ts';
export {
  isForUpdate,
  setUpSecondStarts,
  takeInstanceLock,
  waitForOtherToEnd,
} from './start-and-quit/second-starts.ts';
export { setUpPower, setUpQuit } from './start-and-quit/set-up-power.ts';
