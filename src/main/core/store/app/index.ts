export type { AccountScope } from './campaigns/campaign-note-rows.ts';
export { openLedgerFile } from './open-ledger-file.ts';
export type { DecisionRow, TakenBack } from './decision-rows.ts';
export type { LedgerPageQuery, LedgerReader } from './ledger-rows.ts';
export type { LedgerRow } from './packed-row.ts';
export type { DraftChange, DraftReview } from './draft-rows.ts';
export { removeAppSecrets, writeCopiedSetting, type StoredProfile } from './settings-and-profiles.ts';
export {
  appDatabaseName,
  hasOwnAppSchema,
  openAppStore,
  refuseForeignAppSchema,
  type AppStore,
} from './open-app-store.ts';
export { maxLastWrites, type Comparison } from './proposals/campaign-history.ts';
export type {
  ComparedField,
  FieldOperand,
  Headline,
  ProposalPatch,
  ListedProposal,
  StoredProposal,
} from './proposals/proposal-row.ts';
export type { PrunableProposal } from './proposals/proposal-rows.ts';
export type { ProposalPageQuery } from './proposals/proposal-reader.ts';
export type { StoredUpload, UploadKey } from './upload-rows.ts';
export type { CachedBudgets, StoredStatusChange } from './campaigns/campaign-cache-rows.ts';
export type { StoredPauseReturn } from './pause-return-rows.ts';
export type { AgentCall, PreparedChange } from './agents/agent-call-rows.ts';
export type {
  AgentEnd,
  AgentTally,
  StoredAgent,
  RefusedAttempt,
  StoredRefusedAttempt,
} from './agents/agent-rows.ts';
export type { PinnedDefinition, ReportedChange, ToolPin, ToolPinRows } from './agents/tool-pin-rows.ts';
