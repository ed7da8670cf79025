export { createBehaviour } from './behaviour.ts';
export type { BehaviourControl } from './behaviour.ts';
export { collectDiagnostics } from './diagnostics.ts';
export { createEmergencyStop } from './emergency-stop.ts';
export type { EmergencyStop } from './emergency-stop.ts';
export { watchFrozen, watchMission, watchWaitingCount } from './follow-core.ts';
export type { WaitingCountOptions } from './follow-core.ts';
export { confirmMenuTemplate, isStopKey } from './menus.ts';
export {
  askToOpenLink,
  nativeSaveTarget,
  nativeStopDialogs,
  nativeVaultDialogs,
  stagingFolders,
} from './native-dialogs.ts';
export { resetHost } from './reset-host.ts';
export { setUpTheme, setUpTitle } from './set-up-appearance.ts';
export { setUpMenu } from './set-up-menu.ts';
export { setUpNotifications } from './set-up-notifications.ts';
export { isForUpdate, setUpSecondStarts, takeInstanceLock, waitForOtherToEnd } from './second-starts.ts';
export { setUpPower, setUpQuit } from './set-up-power.ts';
export { setUpBadge, setUpTray } from './set-up-tray.ts';
