export {
  answerableCodes,
  armingDelayMs,
  confirmApi,
  confirmationApi,
  decisionResultSchema,
  decisionSchema,
  noInput,
  portTo,
  showingApi,
  showingSchema,
  ticketSchema,
} from './confirmation.ts';
export type {
  ConfirmApi,
  ConfirmationPort,
  Confirmer,
  ConfirmRequest,
  Decision,
  DecisionResult,
  ReviewProgress,
  Seen,
  Showing,
  Turn,
  Turned,
} from './confirmation.ts';
export {
  behaviourSchema,
  desktopApi,
  appId,
  desktopOrigins,
  menuCommands,
  originNames,
  placeSchema,
  settingsSchema,
  themes,
  vaultSchema,
} from './desktop.ts';
export type {
  AskDesktop,
  HostAnswer,
  AppPreload,
  Behaviour,
  ConfirmPreload,
  CoreState,
  DesktopApi,
  DesktopOrigin,
  DesktopRequest,
  BegunFile,
  FilePart,
  MenuCommand,
  WindowPlace,
  SettingsValues,
  ThemeChoice,
  VaultView,
  Versions,
} from './desktop.ts';
export { appPushes, confirmPushes, requestChannel } from './channels.ts';
export type { AppPush, ConfirmPush, PageSurface } from './channels.ts';
export {
  arrivedWord,
  coreMessageSchema,
  coreStartSchema,
  encodedErrorSchema,
  hostMessageSchema,
} from './link.ts';
export type { CoreMessage, CoreStart, HostMessage, Surface } from './link.ts';
export {
  contentPolicy,
  entryPage,
  hashedFiles,
  keepForEver,
  markPlace,
  mediaType,
  placeAttribute,
} from './pages.ts';
export type { PagePlace, PageRole } from './pages.ts';
export { realWorkSchema } from './real-work.ts';
export type { RealWork } from './real-work.ts';
export { newestFeedSchema, updateSteps } from './updates.ts';
export type { NewestFeed, UpdateOffer, UpdatesOff, UpdateState, UpdateStep, UpdatesView } from './updates.ts';
