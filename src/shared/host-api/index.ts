export {
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
  desktopRequestNames,
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
  MenuCommand,
  VaultView,
} from './desktop.ts';
export { coreMessageSchema, coreStartSchema, encodedErrorSchema, hostMessageSchema } from './link.ts';
export type { CoreMessage, CoreStart, HostMessage, Surface } from './link.ts';
