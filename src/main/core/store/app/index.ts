export { openLedgerFile } from './open-ledger-file.ts';
export type { DecisionRow, LedgerPageQuery, LedgerReader, LedgerRow, TakenBack } from './ledger/index.ts';
export type { DraftChange, DraftReview, DraftScope } from './drafts/index.ts';
export { removeAppSecrets, writeCopiedSetting } from './backup-copy.ts';
export { appDatabaseName, hasOwnAppSchema, openAppStore, refuseForeignAppSchema } from './open-app-store.ts';
export type { AppStore } from './open-app-store.ts';
export { maxLastWrites } from './proposals/index.ts';
export type {
  Comparison,
  ComparedField,
  FieldOperand,
  Headline,
  PrunableProposal,
  ProposalPageQuery,
  ProposalPatch,
  ListedProposal,
  StoredProposal,
} from './proposals/index.ts';
export type { StoredUpload, UploadKey } from './upload-rows.ts';
export type { StoredStatusChange } from './campaigns/status-change-rows.ts';
export type { StoredProfile } from './settings-and-profiles.ts';
export type { AgentCall, PreparedChange } from './agents/agent-call-rows.ts';
export type { AgentEnd, AgentTally, StoredAgent } from './agents/agent-rows.ts';
export type { RefusedAttempt, StoredRefusedAttempt } from './agents/refused-attempt-rows.ts';
export type { PinnedDefinition, ReportedChange, ToolPin, ToolPinRows } from './agents/tool-pin-rows.ts';
export type { NoteScope } from './campaigns/campaign-note-rows.ts';
