export { campaignSchema } from './campaign.ts';
export { targetingLists } from './targeting-lists.ts';
export {
  campaignEditSchema,
  campaignTypeSchema,
  campaignTypesSchema,
  imageSchema,
  settingsSchema,
} from './campaign-edit.ts';
export type {
  CampaignContext,
  CampaignEdit,
  CampaignType,
  CampaignTypes,
  Settings,
} from './campaign-edit.ts';
export { campaignListSchema, campaignRowSchema, listLimits, sortColumns } from './campaign-list.ts';
export type { CampaignList, CampaignRow, SortColumn } from './campaign-list.ts';
export { isStatusCode, statusCodes, statusNames } from './campaign-status.ts';
export type { StatusCode } from './campaign-status.ts';
export { envelopeSchema, errorBodySchema, updatedStatusSchema, updateStatusBodySchema } from './envelope.ts';
export type { UpdateStatusBody } from './envelope.ts';
export { healthSchema, readySchema } from './health.ts';
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
export { searchReportRowSchema } from './search-report.ts';
export {
  exportFormats,
  xmlDayRowSchema,
  xmlGeoRowSchema,
  xmlGroupings,
  xmlStatsRowSchema,
  xmlSubidRowSchema,
} from './xml-stats.ts';
export type { ExportFormat, XmlGrouping } from './xml-stats.ts';
