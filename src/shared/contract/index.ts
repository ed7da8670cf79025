export { isStatusCode, statusCodes, statusNames, targetingLists } from './campaign-codes.ts';
export type { StatusCode } from './campaign-codes.ts';
export {
  campaignEditSchema,
  campaignListSchema,
  campaignRowSchema,
  campaignSchema,
  campaignTypeSchema,
  campaignTypesSchema,
  imageSchema,
  listLimits,
  settingsSchema,
  sortColumns,
} from './campaign.ts';
export type {
  CampaignContext,
  CampaignEdit,
  CampaignList,
  CampaignRow,
  CampaignType,
  CampaignTypes,
  Settings,
  SortColumn,
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
} from './oauth.ts';
export {
  jsonRpcCallSchema,
  jsonRpcErrorSchema,
  sourcePaginationSchema,
  toolResultSchema,
} from './remote-tools.ts';
export type { SourcePagination } from './remote-tools.ts';
export {
  campaignTaskSchema,
  cancelTaskPayloadSchema,
  maxReportDays,
  preparedSchema,
  reportTaskPayloadSchema,
  reportTaskSchema,
  scheduledTaskSchema,
  taskPageSchema,
  taskScheduleSchema,
  taskWeekdays,
  waitingApprovalSchema,
} from './scheduled-task.ts';
export type {
  ReportParameters,
  ReportTask,
  ScheduledTask,
  TaskSchedule,
  TaskWeekday,
  WaitingApproval,
} from './scheduled-task.ts';
export {
  exportFormats,
  searchReportRowSchema,
  xmlDayRowSchema,
  xmlGeoRowSchema,
  xmlGroupings,
  xmlStatsRowSchema,
  xmlSubidRowSchema,
} from './publisher-reports.ts';
export type { ExportFormat, XmlGrouping } from './publisher-reports.ts';
