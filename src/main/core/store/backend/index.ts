export { openBackendStore } from './open-backend-store.ts';
export type { BackendStore } from './open-backend-store.ts';
export type { ApprovalRow, OperationRow, Picture } from './operations/index.ts';
export type {
  BackendReader,
  BackendWriter,
  CampaignListPage,
  CampaignListQuery,
  CampaignRecord,
  Member,
  Module,
} from './types.ts';
