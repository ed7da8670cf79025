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
  realWorkSchema,
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
  RealWork,
  WindowPlace,
  SettingsValues,
  ThemeChoice,
  VaultView,
  Versions,
} from './desktop.ts';
export {
  arrivedWord,
  coreMessageSchema,
  coreStartSchema,
  encodedErrorSchema,
  hostMessageSchema,
} from './link.ts';
export type { CoreMessage, CoreStart, HostMessage, Surface } from './link.ts';
export {
  appPushes,
  confirmPushes,
  contentPolicy,
  entryPage,
  hashedFiles,
  keepForEver,
  markPlace,
  mediaType,
  placeAttribute,
  requestChannel,
} from './pages.ts';
export type { AppPush, ConfirmPush, PagePlace, PageRole, PageSurface } from './pages.ts';
export { newestFeedSchema, updateSteps } from './updates.ts';
export type { NewestFeed, UpdateOffer, UpdatesOff, UpdateState, UpdateStep, UpdatesView } from './updates.ts';
