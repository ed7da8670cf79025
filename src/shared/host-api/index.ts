export {
  answerableCodes,
  armingDelayMs,
  decisionResultSchema,
  decisionSchema,
  pictureAskSchema,
  seenSchema,
  showingSchema,
  targetsAskSchema,
  ticketSchema,
  turnedSchema,
  turnSchema,
} from './confirmation.ts';
export type {
  ConfirmationPort,
  Confirmer,
  Decision,
  DecisionResult,
  PictureAsk,
  ReviewProgress,
  Seen,
  Showing,
  TargetsAsk,
  Turn,
  Turned,
} from './confirmation.ts';
export {
  behaviourSchema,
  desktopApi,
  appId,
  desktopOrigins,
  emptyInputSchema,
  menuCommands,
  originNames,
  placeSchema,
  settingsSchema,
  themes,
  vaultSchema,
} from './desktop.ts';
export type {
  HostAnswer,
  AppPreload,
  Behaviour,
  ConfirmCalls,
  ConfirmPreload,
  CoreState,
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
export {
  appChannel,
  appPushes,
  confirmChannel,
  confirmPushes,
  coreStateNowChannel,
  desktopChannel,
  desktopRequestNames,
} from './channels.ts';
export type { AppPush, ConfirmPush, ConfirmRequest } from './channels.ts';
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
