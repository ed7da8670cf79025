export {
  answerableCodes,
  armingDelayMs,
  decisionResultSchema,
  decisionSchema,
  seenSchema,
  showingSchema,
} from './confirmation.ts';
export type { ConfirmationPort, Confirmer, Decision, DecisionResult, Seen, Showing } from './confirmation.ts';
export { ticketSchema } from './ticket.ts';
export {
  desktopApi,
  desktopOrigins,
  emptyInputSchema,
  menuCommands,
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
  ThemeChoice,
  VaultView,
} from './desktop.ts';
export { desktopRequestNames } from './desktop-names.ts';
export { appChannel, appPushes, coreStateNowChannel, desktopChannel } from './channels.ts';
export type { AppPush } from './channels.ts';
export { confirmChannels, confirmPushes } from './confirm-channels.ts';
export type { ConfirmPush } from './confirm-channels.ts';
export { placeSchema, settingsSchema } from './settings.ts';
export type { Place, SettingsValues } from './settings.ts';
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
