export type { Admission, Admissions } from './operations/agent-admission.ts';
export type { AppCommit, DueApproval, ScheduleCommits } from './proposing/app-commits.ts';
export type { AgentGate, ProposalStatus } from './agent-calls/agent-calls.ts';
export {
  baseText,
  payloadText,
  type TaskOfCall,
  uploadAddress,
  type UploadFor,
  uploadForIn,
  type UploadOfCall,
} from './operations/tool-call/stored-parts.ts';
export { picturesOfCampaign } from './confirmation/proposal-view.ts';
export { type AgentGuard, type Guarded, RefusedChange } from './proposing/agent-limits.ts';
export type { SeveralWrites } from './operations/batch/prepare.ts';
export { createGate, type Gate, type GateOptions } from './gate.ts';
export { type CopyRetention, createCopyRetention } from './lifecycle/retention.ts';
export { createPruning } from './lifecycle/retention.ts';
export { type CountDecisions, createDecisions } from './undo/decision-counts.ts';
export { createNetEffect, type NetEffect } from './undo/net-effect.ts';
export { changesOf, lastChangesOf } from './undo/undo.ts';
export { createReturns, type Returns } from './undo/return-paused-campaigns.ts';
export type { ProposalWords } from './operations/operation.ts';
export { maxWaiting } from './proposing/proposing.ts';
export { skippedCids, storedStatus } from './operations/status-change/stored-parts.ts';
export { askedStatusMoves, statusEffects } from './operations/written-effects.ts';
export { latestId } from './operations/stored-proposals.ts';
export { memberIds } from './operations/stored-proposals.ts';
export { isUnknowable } from './operations/outcome.ts';
export { inParts, type StatusRequest } from './operations/status-change/prepare.ts';
export { updateParts } from './operations/update.ts';
export { callInWords, describeCall, describeUpdate } from './operations/describe-write.ts';
export type { ProposedUpdates } from './proposing/user-changes.ts';
export { commitTool, isCommitMember } from './operations/tool-call/call-arguments.ts';
export { type CallingAgent, sentArguments, type ToolCallRequest } from './operations/tool-call/prepare.ts';
export type { PrepareAtService } from './operations/tool-call/prepare-again.ts';
export { assertAccepted } from './operations/tool-call/send.ts';
