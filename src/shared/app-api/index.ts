import { z } from 'zod';
import { agentsApi } from './proposals/agents.ts';
import { bulkApi } from './campaigns/bulk.ts';
import { campaignNotesApi } from './campaigns/notes.ts';
import { campaignsApi, findingApi } from './campaigns/campaigns.ts';
import { dataApi } from './profiles/data.ts';
import { callHandler, handlersBy, type InputOf, type OutputOf } from './define.ts';
import { doctorApi, policyApi, profilesApi } from './profiles/profiles.ts';
import { copiesApi, draftsApi } from './campaigns/drafts.ts';
import { ledgerApi } from './proposals/ledger.ts';
import { moneyApi } from './campaigns/money.ts';
import { picturesApi } from './campaigns/pictures.ts';
import { uploadsApi } from './campaigns/uploads.ts';
import { sessionApi } from './profiles/session.ts';
import { proposalsApi } from './proposals/proposals.ts';
import { reportAlertsApi, reportNotesApi } from './reports/notes.ts';
import { reportsApi } from './reports/reports.ts';
import { schedulesApi } from './proposals/schedules.ts';
import { trainingApi } from './training.ts';

/** Every request that a page may send to the core. There is no `decide`: no page can approve or deny a change. */
export const appApi = {
  ...sessionApi,
  ...policyApi,
  ...dataApi,
  ...campaignsApi,
  ...findingApi,
  ...moneyApi,
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

/**
 * Returns handlers that pass each request to the handlers that `current` returns at that moment. A request fails if
 * `current` throws.
 */
export function handlersTo(current: () => AppHandlers): AppHandlers {
  return handlersBy(appApi, async (name, input) => callHandler(current(), name, input));
}

export { callHandler, handlersBy, request, requestNamed, sentenceSchema } from './define.ts';
export type { AskFor, CallsOf, HandlersOf, InputOf, OutputOf, RequestDefinition } from './define.ts';
export type { RequestMap, RequestName } from './define.ts';
export type { RestoreView } from './profiles/data.ts';
export { campaignDetailSchema, campaignFilterSchema, campaignPageSchema } from './campaigns/campaigns.ts';
export { statusGroupSchema } from './campaigns/campaigns.ts';
export type { CampaignChange, CampaignDetail, CampaignFilter, CampaignPage } from './campaigns/campaigns.ts';
export type { Coverage, FlightView, FoundPage, FullState, LastChangeView } from './campaigns/campaigns.ts';
export type { WaitingDecision } from './campaigns/campaigns.ts';
export { listViewSchema } from './campaigns/notes.ts';
export type { CampaignLabel, CampaignNote, ColumnLayout, ListView } from './campaigns/notes.ts';
export type { SavedListView } from './campaigns/notes.ts';
export type { MoneyToday } from './campaigns/money.ts';
export { deletionWord, everyRow, labelColors, markSigns, maxCampaignNoteLength } from './constants.ts';
export { maxEditedCells, noFilter } from './constants.ts';
export { maxLabelNameLength, maxLabels, maxDrillRows, maxMarks, maxNoteLength } from './constants.ts';
export { maxViewNameLength, maxViews } from './constants.ts';
export type { LabelColor, MarkSign } from './constants.ts';
export { changesInRowSchema, exportHeaderSchema, retentionDaysSchema } from './proposals/ledger.ts';
export { ledgerEntrySchema, ledgerFilterSchema, ledgerReportSchema } from './proposals/ledger.ts';
export { netChangeSchema } from './proposals/ledger.ts';
export type { Decisions, ExportHeaderLine, RetentionDays, LedgerEntry } from './proposals/ledger.ts';
export type { LedgerFilter, LedgerProfile, LedgerReport, NetChange } from './proposals/ledger.ts';
export { askerSchema, batchMemberSchema, operationNames } from './proposals/proposals.ts';
export { proposalDetailSchema, proposalSchema, waitingMinutesSchema } from './proposals/proposals.ts';
export { proposalSummarySchema } from './proposals/proposals.ts';
export type { ProposalDetail } from './proposals/proposals.ts';
export type { ProposalSummary, ProposerFilter, ProposalView, UndoView } from './proposals/proposals.ts';
export { proposalStates, type ProposalState } from '../proposals/states.ts';
export { offsetSchema, targetPageSchema, targetsPerPage } from './proposals/targets.ts';
export type { TargetPage } from './proposals/targets.ts';
export { agentSchema, guardrailsSchema, campaignsToPauseSchema } from './proposals/agents.ts';
export { refusedAttemptSchema, refusingRules, sampleAgentSchema } from './proposals/agents.ts';
export { toolViewSchema } from './proposals/agents.ts';
export type { AgentView, Guardrails, CampaignsToPause, RefusedAttemptView } from './proposals/agents.ts';
export type { RefusingRule, SampleAgentView, ToolView } from './proposals/agents.ts';
export { creativePictureSchema, loadedPictureSchema } from './campaigns/pictures.ts';
export type { CreativePicture, LoadedPicture } from './campaigns/pictures.ts';
export { pendingUploadSchema, uploadSchema, uploadsSchema } from './campaigns/uploads.ts';
export type { UploadsView, UploadView } from './campaigns/uploads.ts';
export { profileSchema, shownFormatsSchema, statusSchema } from './profiles/session.ts';
export type { ProfileView, StatusView } from './profiles/session.ts';
export { addressesSchema, credentialNames, extraScopes, profileDetailSchema } from './profiles/profiles.ts';
export { profileInputSchema, remoteAccessModes, signInSchema, policySchema } from './profiles/profiles.ts';
export type { CredentialName, ExtraScope, ProfileDetail, RevocationView } from './profiles/profiles.ts';
export type { ProfileInput, ServiceAddresses, SignInView, PolicyView } from './profiles/profiles.ts';
export { contractFindingSchema, doctorReportSchema, doctorStepIds } from './profiles/profiles.ts';
export { doctorStepSchema } from './profiles/profiles.ts';
export type { ContractFinding, DoctorReport, DoctorStep, DoctorStepId } from './profiles/profiles.ts';
export { campaignDraftSchema, checkedCampaignSchema, copyDaysSchema } from './campaigns/drafts.ts';
export { draftCheckSchema, draftsSchema } from './campaigns/drafts.ts';
export type {
  CampaignCopyView,
  CampaignDraftView,
  CheckedCampaign,
  DraftCheck,
  EditedCell,
} from './campaigns/drafts.ts';
export type { BulkFile, BulkPreview, BulkRow, BulkSource, BulkState } from './campaigns/bulk.ts';
export type { FileEncoding, FileSeparator } from './campaigns/bulk.ts';
export { reportExclusionSchema, reportPageSchema, reportQuerySchema } from './reports/reports.ts';
export { reportRangeSchema, reportSourceSchema, reportStateSchema } from './reports/reports.ts';
export { reportValueSchema } from './reports/reports.ts';
export type { ReportColumn, ReportExclusion, DrillRow, ReportPage, ReportQuery } from './reports/reports.ts';
export type { ReportRow, ReportSource, ReportState, ReportValue } from './reports/reports.ts';
export { scheduleSchema, schedulesSchema } from './proposals/schedules.ts';
export type { DueStage, PauseReturnView, ScheduleView, SchedulesView } from './proposals/schedules.ts';
export { alertChecksSchema, alertConditionSchema, alertEventSchema } from './reports/notes.ts';
export { alertReadingSchema, alertRuleSchema, alertSchema, markFiguresSchema } from './reports/notes.ts';
export { markSchema, markTargetSchema, maxAlertEvents, maxAlerts } from './reports/notes.ts';
export { reportViewSchema } from './reports/notes.ts';
export type { AlertChecks, AlertEvent, AlertReadingView, AlertRule, AlertView } from './reports/notes.ts';
export type { Mark, MarkFigures, MarkTarget, ReportView } from './reports/notes.ts';
export { attemptSchema, lessonIds, traineeNameSchema } from '../training/index.ts';
export type { Attempt as AttemptView, FaultProgress, LessonId } from '../training/index.ts';
export { debriefItemSchema, practiceFaults, agentBehaviours, trainingApi } from './training.ts';
export type { CheckedResult, DebriefItem, PracticeFault, PracticeView, TrainingHome } from './training.ts';
export type { WorkspaceView } from './training.ts';

/** Events that the core sends to the pages. They contain ids, never state: the page reads the state again. */
export const appEventSchema = z.discriminatedUnion('kind', [
  /** These campaigns may have changed. An empty list means any campaign. */
  z.object({ kind: z.literal('campaigns.changed'), cids: z.array(z.int()) }),
  z.object({ kind: z.literal('campaigns.loading') }),
  z.object({ kind: z.literal('campaigns.searching') }),
  z.object({ kind: z.literal('proposals.changed'), id: z.string() }),
  /**
   * The drafts of these campaigns of the active profile, or their latest check, have changed. An empty list means any
   * campaign.
   */
  z.object({ kind: z.literal('drafts.changed'), cids: z.array(z.int()) }),
  z.object({ kind: z.literal('uploads.changed') }),
  z.object({ kind: z.literal('notes.changed') }),
  z.object({ kind: z.literal('ledger.changed') }),
  z.object({ kind: z.literal('status.changed') }),
  z.object({ kind: z.literal('profiles.changed') }),
  z.object({ kind: z.literal('formats.changed') }),
  z.object({ kind: z.literal('policy.changed') }),
  z.object({ kind: z.literal('signIn.changed') }),
  z.object({ kind: z.literal('doctor.changed') }),
  z.object({ kind: z.literal('agents.changed') }),
  z.object({ kind: z.literal('reports.changed') }),
  z.object({ kind: z.literal('alerts.crossed'), alertId: z.string() }),
  z.object({ kind: z.literal('schedules.changed') }),
  /** A backup was restored or the data was deleted. Everything that a page has read is invalid, so the page reloads. */
  z.object({ kind: z.literal('data.replaced') }),
  /**
   * The training workspace has changed: its phase, its counts, or the workspace itself. A page of a workspace that was
   * opened or closed reloads.
   */
  z.object({ kind: z.literal('training.changed') }),
]);

export type AppEvent = z.infer<typeof appEventSchema>;
