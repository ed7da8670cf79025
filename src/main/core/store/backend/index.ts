export { openBackendStore } from './open-backend-store.ts';
export type { BackendStore } from './open-backend-store.ts';
export type {
  BackendReader,
  BackendWriter,
  CampaignListPage,
  CampaignListQuery,
  CampaignRecord,
  Member,
  Module,
} from './types.ts';
