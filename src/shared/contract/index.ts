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
export { envelopeSchema, errorBodySchema } from './envelope.ts';
export type { UpdateStatusBody } from './envelope.ts';
