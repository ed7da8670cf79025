export { answerableCodes, armingDelayMs, confirmApi, confirmationApi, endedCodes } from './confirmation.ts';
export { decisionResultSchema, decisionSchema, noInput, portTo, displayApi } from './confirmation.ts';
export { displaySchema, ticketSchema } from './confirmation.ts';
export type { ConfirmApi, ConfirmationPort, Confirmer, ConfirmRequest, Decision } from './confirmation.ts';
export type {
  DecidedChange,
  LedgerSeal,
  DecisionResult,
  ReviewProgress,
  Seen,
  Display,
  Step,
  Stepped,
} from './confirmation.ts';
export { behaviourSchema, desktopApi, appId, desktopOrigins, menuCommands, originNames } from './desktop.ts';
export { placeSchema, realWorkSchema, settingsSchema, themes, vaultSchema } from './desktop.ts';
export type { AskDesktop, HostAnswer, AppPreload, Behaviour, ConfirmPreload, CoreState } from './desktop.ts';
export type { DesktopApi, DesktopOrigin, DesktopRequest, BegunFile, FilePart } from './desktop.ts';
export type { MenuCommand, RealWork, WindowPlace, SettingsValues, ThemeChoice } from './desktop.ts';
export type { VaultView, Versions } from './desktop.ts';
export { newestFeedSchema, updateSteps } from './desktop.ts';
export type { NewestFeed, UpdateOffer, UpdatesOff, UpdateState, UpdateStep, UpdatesView } from './desktop.ts';
export { arrivedWord, coreMessageSchema, coreStartSchema, encodedErrorSchema } from './link.ts';
export { hostMessageSchema } from './link.ts';
export type { CoreMessage, CoreStart, HostMessage, Surface } from './link.ts';
export { appPushes, confirmPushes, contentPolicy, entryPage, hashedFiles, keepForEver } from './pages.ts';
export { markPlace, mediaType, placeAttribute, requestChannel } from './pages.ts';
export type { AppPush, ConfirmPush, PagePlace, PageRole, PageSurface } from './pages.ts';
export { firstScreenSchema, maxFirstRows, withFirstScreen } from './first-screen.ts';
export type { FirstScreen } from './first-screen.ts';
