import type { z } from 'zod';
import { agentsApi } from './proposals/agents.ts';
import { bulkApi } from './campaigns/bulk.ts';
import { campaignNotesApi } from './campaigns/notes.ts';
import { campaignsApi, findingApi } from './campaigns/campaigns.ts';
import { dataApi } from './profiles/data.ts';
import { callHandler, handlersBy, type InputOf, type OutputOf } from './define.ts';
import { doctorApi } from './profiles/doctor.ts';
import { copiesApi, draftsApi } from './campaigns/drafts.ts';
import { ledgerApi } from './proposals/ledger.ts';
import { picturesApi } from './campaigns/pictures.ts';
import { policyApi } from './profiles/policy.ts';
import { sessionApi } from './profiles/session.ts';
import { uploadsApi } from './campaigns/uploads.ts';
import { profilesApi } from './profiles/profiles.ts';
import { proposalsApi } from './proposals/proposals.ts';
import { reportAlertsApi, reportNotesApi } from './reports/notes.ts';
import { reportsApi } from './reports/reports.ts';
import { schedulesApi } from './proposals/schedules.ts';
import { trainingApi } from './training.ts';

/** Everything that a page may ask of the core. There is no `decide`: no page can answer a confirmation. */
export const appApi = {
  ...sessionApi,
  ...policyApi,
  ...dataApi,
  ...campaignsApi,
  ...findingApi,
  ...campaignNotesApi,
  ...draftsApi,
  ...copiesApi,
  ...bulkApi,
  ...proposalsApi,
  ...ledgerApi,
  ...profilesApi,
  ...doctorApi,
  ...agentsApi,
  ...reportsApi,
  ...schedulesApi,
  ...reportNotesApi,
  ...reportAlertsApi,
  ...picturesApi,
  ...uploadsApi,
  ...trainingApi,
};

export type AppApi = typeof appApi;
export type AppRequest = keyof AppApi;
export type AppInput<R extends AppRequest> = InputOf<AppApi, R>;
export type AppOutput<R extends AppRequest> = OutputOf<AppApi, R>;

export type AppHandlers = {
  [R in AppRequest]: (input: z.output<AppApi[R]['input']>) => Promise<AppOutput<R>>;
};

/** Returns handlers that pass each request on to those of that moment. A request fails as `current` does. */
export function handlersTo(current: () => AppHandlers): AppHandlers {
  return handlersBy(appApi, async (name, input) => callHandler(current(), name, input));
}

export { callHandler, handlersBy, request, requestNamed, sentenceSchema } from './define.ts';
export type {
  AskFor,
  CallsOf,
  HandlersOf,
  InputOf,
  OutputOf,
  RequestDefinition,
  RequestMap,
  RequestName,
} from './define.ts';
export type { RestoreView } from './profiles/data.ts';
export { appEventSchema, type AppEvent } from './events.ts';
export {
  campaignDetailSchema,
  campaignFilterSchema,
  campaignPageSchema,
  statusGroupSchema,
  type CampaignChange,
  type CampaignDetail,
  type CampaignFilter,
  type CampaignPage,
  type Coverage,
  type FoundPage,
  type FullState,
  type LastChangeView,
  type WaitingDecision,
} from './campaigns/campaigns.ts';
export { listViewSchema } from './campaigns/notes.ts';
export type {
  CampaignLabel,
  CampaignNote,
  ColumnLayout,
  ListView,
  SavedListView,
} from './campaigns/notes.ts';
export {
  deletionWord,
  everyRow,
  labelColors,
  markSigns,
  maxCampaignNoteLength,
  maxLabelNameLength,
  maxLabels,
  maxDrillRows,
  maxMarks,
  maxNoteLength,
  maxViewNameLength,
  maxViews,
} from './constants.ts';
export type { LabelColor, MarkSign } from './constants.ts';
export {
  changesInRowSchema,
  exportHeaderSchema,
  retentionDaysSchema,
  ledgerEntrySchema,
  ledgerFilterSchema,
  ledgerReportSchema,
  netChangeSchema,
  type Decisions,
  type ExportHeaderLine,
  type RetentionDays,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerProfile,
  type LedgerReport,
  type NetChange,
} from './proposals/ledger.ts';
export {
  askerSchema,
  batchMemberSchema,
  operationNames,
  proposalDetailSchema,
  proposalSchema,
  waitingMinutesSchema,
  proposalSummarySchema,
  type ArgumentPicture,
  type OperationName,
  type ProposalDetail,
  type ProposalSummary,
  type ProposerFilter,
  type ProposalView,
  type UndoView,
} from './proposals/proposals.ts';
export { proposalStates, type ProposalState } from '../proposals/states.ts';
export { fromSchema, targetPageSchema, targetsPerPage } from './proposals/targets.ts';
export type { TargetPage, MoneyText } from './proposals/targets.ts';
export {
  agentSchema,
  guardrailsSchema,
  campaignsToPauseSchema,
  refusedAttemptSchema,
  refusingRules,
  sampleAgentSchema,
  toolViewSchema,
  type AgentView,
  type Guardrails,
  type CampaignsToPause,
  type RefusedAttemptView,
  type RefusingRule,
  type SampleAgentView,
  type ToolView,
} from './proposals/agents.ts';
export { creativePictureSchema, loadedPictureSchema } from './campaigns/pictures.ts';
export type { CreativePicture, LoadedPicture } from './campaigns/pictures.ts';
export { profileSchema, shownFormatsSchema, statusSchema } from './profiles/session.ts';
export type { ProfileView, StatusView } from './profiles/session.ts';
export {
  addressesSchema,
  credentialNames,
  extraScopes,
  profileDetailSchema,
  profileInputSchema,
  remoteAccessModes,
  signInSchema,
  type CredentialName,
  type ExtraScope,
  type ProfileDetail,
  type RevocationView,
  type ProfileInput,
  type ServiceAddresses,
  type SignInView,
} from './profiles/profiles.ts';
export { policySchema, type PolicyView } from './profiles/policy.ts';
export {
  contractFindingSchema,
  doctorReportSchema,
  doctorStepIds,
  doctorStepSchema,
} from './profiles/doctor.ts';
export type { ContractFinding, DoctorReport, DoctorStep, DoctorStepId } from './profiles/doctor.ts';
export {
  campaignDraftSchema,
  checkedCampaignSchema,
  copyDaysSchema,
  draftCheckSchema,
  draftsSchema,
} from './campaigns/drafts.ts';
export type { CampaignCopyView, CampaignDraftView, CheckedCampaign, DraftCheck } from './campaigns/drafts.ts';
export type {
  BulkFile,
  BulkPreview,
  BulkRow,
  BulkSource,
  BulkState,
  FileEncoding,
  FileSeparator,
} from './campaigns/bulk.ts';
export {
  reportExclusionSchema,
  reportPageSchema,
  reportQuerySchema,
  reportRangeSchema,
  reportSourceSchema,
  reportStateSchema,
  reportValueSchema,
  type ReportColumn,
  type ReportExclusion,
  type DrillRow,
  type ReportPage,
  type ReportQuery,
  type ReportRow,
  type ReportSource,
  type ReportState,
  type ReportValue,
} from './reports/reports.ts';
export { pendingUploadSchema, uploadSchema, uploadsSchema } from './campaigns/uploads.ts';
export type { UploadsView, UploadView } from './campaigns/uploads.ts';
export { scheduleSchema, schedulesSchema } from './proposals/schedules.ts';
export type { DueStage, ScheduleView, SchedulesView } from './proposals/schedules.ts';
export {
  alertChecksSchema,
  alertConditionSchema,
  alertEventSchema,
  alertReadingSchema,
  alertRuleSchema,
  alertSchema,
  markFiguresSchema,
  markSchema,
  markTargetSchema,
  maxAlertEvents,
  maxAlerts,
  reportViewSchema,
  type AlertChecks,
  type AlertEvent,
  type AlertReadingView,
  type AlertRule,
  type AlertView,
  type Mark,
  type MarkFigures,
  type MarkTarget,
  type ReportView,
} from './reports/notes.ts';
export { attemptSchema, lessonIds, traineeNameSchema } from '../training/index.ts';
export type { Attempt as AttemptView, FaultProgress, LessonId } from '../training/index.ts';
export { debriefItemSchema, practiceFaults, agentBehaviours, trainingApi } from './training.ts';
export type {
  CheckedResult,
  DebriefItem,
  PracticeFault,
  PracticeView,
  TrainingHome,
  WorkspaceView,
} from './training.ts';
