export {
  exportFormats,
  isStatusCode,
  leastActivationMicros,
  listLimits,
  maxReportDays,
  sortColumns,
  statusCodes,
  statusNames,
  targetingLists,
  taskWeekdays,
  xmlGroupings,
} from './codes.ts';
export type { ExportFormat, SortColumn, StatusCode, TaskWeekday, XmlGrouping } from './codes.ts';
export {
  campaignEditSchema,
  campaignListSchema,
  campaignRowSchema,
  campaignSchema,
  campaignTypeSchema,
  campaignTypesSchema,
  imageSchema,
  settingsSchema,
  type CampaignContext,
  type CampaignEdit,
  type CampaignList,
  type CampaignRow,
  type CampaignType,
  type CampaignTypes,
  type FieldMove,
  type Settings,
} from './campaign.ts';
export {
  envelopeSchema,
  errorBodySchema,
  healthSchema,
  readySchema,
  updatedStatusSchema,
  updateStatusBodySchema,
} from './envelope.ts';
export type { UpdateStatusBody } from './envelope.ts';
export {
  authorizationServerSchema,
  clientMetadataSchema,
  oauthErrorSchema,
  protectedResourceSchema,
  registeredClientSchema,
  tokenAnswerSchema,
} from './remote-tools.ts';
export {
  exactPaginationSchema,
  jsonRpcCallSchema,
  jsonRpcErrorSchema,
  sourcePaginationSchema,
  toolResultSchema,
} from './remote-tools.ts';
export type { ExactPagination } from './remote-tools.ts';
export {
  campaignTaskSchema,
  cancelTaskPayloadSchema,
  preparedSchema,
  reportTaskPayloadSchema,
  reportTaskSchema,
  scheduledTaskSchema,
  taskPageSchema,
  taskScheduleSchema,
  waitingApprovalSchema,
  type ReportParameters,
  type ReportTask,
  type ScheduledTask,
  type TaskSchedule,
  type WaitingApproval,
} from './scheduled-task.ts';
export {
  searchReportRowSchema,
  xmlDayRowSchema,
  xmlGeoRowSchema,
  xmlStatsRowSchema,
  xmlSubidRowSchema,
} from './envelope.ts';
