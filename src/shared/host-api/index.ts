export {
  answerableCodes,
  armingDelayMs,
  decisionResultSchema,
  decisionSchema,
  pictureAskSchema,
  seenSchema,
  showingSchema,
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
  Turn,
  Turned,
} from './confirmation.ts';
export {
  desktopApi,
  appId,
  desktopOrigins,
  emptyInputSchema,
  menuCommands,
  placeSchema,
  settingsSchema,
  themes,
  vaultSchema,
} from './desktop.ts';
export type {
  Answer,
  AppPreload,
  ConfirmPreload,
  CoreState,
  DesktopRequest,
  FilePart,
  MenuCommand,
  Place,
  SettingsValues,
  ThemeChoice,
  VaultView,
} from './desktop.ts';
export {
  appChannel,
  appPushes,
  confirmChannels,
  confirmPushes,
  coreStateNowChannel,
  desktopChannel,
  desktopRequestNames,
} from './channels.ts';
export type { AppPush, ConfirmPush } from './channels.ts';
export {
  arrivedWord,
  coreMessageSchema,
  coreStartSchema,
  encodedErrorSchema,
  hostMessageSchema,
} from './link.ts';
export type { CoreMessage, CoreStart, HostMessage, Surface } from './link.ts';
export { contentPolicy, entryPage, hashedFiles, keepForEver, mediaType } from './pages.ts';
export type { PageRole } from './pages.ts';
