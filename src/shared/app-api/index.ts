import type { z } from 'zod';
import { agentsApi } from './agents.ts';
import { bulkApi } from './bulk.ts';
import { campaignNotesApi } from './campaign-notes.ts';
import { campaignsApi } from './campaigns.ts';
import { copiesApi } from './copies.ts';
import { dataApi } from './data.ts';
import { doctorApi } from './doctor.ts';
import { draftsApi } from './drafts.ts';
import { findingApi } from './finding.ts';
import { ledgerApi } from './ledger.ts';
import { picturesApi } from './pictures.ts';
import { policyApi } from './policy.ts';
import { profilesApi } from './profiles.ts';
import { proposalsApi } from './proposals.ts';
import { reportAlertsApi, reportNotesApi } from './report-notes.ts';
import { reportsApi } from './reports.ts';
import { schedulesApi } from './schedules.ts';
import { sessionApi } from './session.ts';
import { trainingApi } from './training.ts';
import { uploadsApi } from './uploads.ts';

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
/** The input of a request. */
export type AppInput<R extends AppRequest> = z.input<AppApi[R]['input']>;
/** The output of a request. */
export type AppOutput<R extends AppRequest> = z.output<AppApi[R]['output']>;

/** The core's side: one handler for each request; failures are `AppError`. */
export type AppHandlers = {
  [R in AppRequest]: (input: z.output<AppApi[R]['input']>) => Promise<AppOutput<R>>;
};

export { appRequestNames } from './names.ts';
export type { RestoreView } from './data.ts';
export { appEventSchema } from './events.ts';
export type { AppEvent } from './events.ts';
export {
  campaignDetailSchema,
  campaignFilterSchema,
  campaignPageSchema,
  statusGroupSchema,
} from './campaigns.ts';
export type {
  CampaignChange,
  CampaignDetail,
  CampaignFilter,
  CampaignPage,
  WaitingDecision,
} from './campaigns.ts';
export { listViewSchema } from './campaign-notes.ts';
export type { CampaignLabel, CampaignNote, ColumnLayout, ListView, SavedListView } from './campaign-notes.ts';
export {
  deletionWord,
  everyRow,
  labelColors,
  markSigns,
  maxCampaignNoteLength,
  maxLabelNameLength,
  maxLabels,
  maxMarks,
  maxNoteLength,
  maxViewNameLength,
  maxViews,
} from './constants.ts';
export type { LabelColor, MarkSign } from './constants.ts';
export {
  changesInRowSchema,
  exportHeaderSchema,
  keptDaysSchema,
  ledgerEntrySchema,
  ledgerFilterSchema,
  ledgerReportSchema,
  netChangeSchema,
} from './ledger.ts';
export type {
  Decisions,
  ExportHeaderLine,
  KeptDays,
  LedgerEntry,
  LedgerFilter,
  LedgerProfile,
  LedgerReport,
  NetChange,
} from './ledger.ts';
export {
  askerSchema,
  batchMemberSchema,
  callEffects,
  operationNames,
  proposalDetailSchema,
  proposalSchema,
  waitingMinutesSchema,
  proposalSummarySchema,
} from './proposals.ts';
export { proposalStates } from '../proposals/states.ts';
export type { ProposalState } from '../proposals/states.ts';
export type {
  ArgumentPicture,
  CallEffect,
  MoneyText,
  OperationName,
  ProposalDetail,
  ProposalSummary,
  ProposerFilter,
  ProposalView,
  UndoView,
} from './proposals.ts';
export {
  agentSchema,
  guardrailsSchema,
  campaignsToPauseSchema,
  refusedAttemptSchema,
  refusingRules,
  sampleAgentSchema,
  toolViewSchema,
} from './agents.ts';
export type {
  AgentView,
  Guardrails,
  CampaignsToPause,
  RefusedAttemptView,
  RefusingRule,
  SampleAgentView,
  ToolView,
} from './agents.ts';
export { creativePictureSchema, loadedPictureSchema } from './pictures.ts';
export type { CreativePicture, LoadedPicture } from './pictures.ts';
export { profileSchema, shownFormatsSchema, statusSchema } from './session.ts';
export type { ProfileView, StatusView } from './session.ts';
export {
  addressesSchema,
  credentialNames,
  extraScopes,
  profileDetailSchema,
  profileInputSchema,
  remoteAccessModes,
  signInSchema,
} from './profiles.ts';
export type {
  CredentialName,
  ExtraScope,
  ProfileDetail,
  ProfileInput,
  ServiceAddresses,
  SignInView,
} from './profiles.ts';
export { policySchema } from './policy.ts';
export type { PolicyView } from './policy.ts';
export { contractFindingSchema, doctorReportSchema, doctorStepIds, doctorStepSchema } from './doctor.ts';
export type { ContractFinding, DoctorReport, DoctorStep, DoctorStepId } from './doctor.ts';
export { campaignDraftSchema, checkedCampaignSchema, draftCheckSchema, draftsSchema } from './drafts.ts';
export type { CampaignDraftView, CheckedCampaign, DraftCheck } from './drafts.ts';
export { copyDaysSchema } from './copies.ts';
export type { CampaignCopyView } from './copies.ts';
export type {
  BulkFile,
  BulkPreview,
  BulkRow,
  BulkSource,
  BulkState,
  FileEncoding,
  FileSeparator,
} from './bulk.ts';
export type { Coverage, FoundPage, FullState, LastChangeView } from './finding.ts';
export {
  reportPageSchema,
  reportQuerySchema,
  reportRangeSchema,
  reportSourceSchema,
  reportStateSchema,
  reportValueSchema,
} from './reports.ts';
export type {
  ReportColumn,
  ReportPage,
  ReportQuery,
  ReportRow,
  ReportSource,
  ReportState,
  ReportValue,
} from './reports.ts';
export { pendingUploadSchema, uploadSchema, uploadsSchema } from './uploads.ts';
export type { UploadsView, UploadView } from './uploads.ts';
export { scheduleSchema, schedulesSchema } from './schedules.ts';
export type { ScheduleView, SchedulesView } from './schedules.ts';
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
} from './report-notes.ts';
export type {
  AlertChecks,
  AlertEvent,
  AlertReadingView,
  AlertRule,
  AlertView,
  Mark,
  MarkFigures,
  MarkTarget,
  ReportView,
} from './report-notes.ts';
export { attemptSchema, lessonIds, traineeNameSchema } from '../training/index.ts';
export type { Attempt as AttemptView, FaultProgress, LessonId } from '../training/index.ts';
export { debriefItemSchema, practiceFaults, tempers, trainingApi } from './training.ts';
export type {
  CheckedResult,
  DebriefItem,
  PracticeFault,
  PracticeView,
  TrainingHome,
  WorkspaceView,
} from './training.ts';
