export {
  hasOwnBackendSchema,
  openBackendStore,
  refuseForeignBackendSchema,
  removeBackendSecrets,
} from './open-backend-store.ts';
export type { BackendStore } from './open-backend-store.ts';
export type { ApprovalRow, OperationRow, Picture } from './operation-rows.ts';
export { taskStates, runOutcomes } from './task-types.ts';
export type { RunOutcome, TaskFile, TaskRow, TaskRunRow, TaskState } from './task-types.ts';
export type {
  BackendReader,
  BackendWriter,
  CampaignListPage,
  CampaignListQuery,
  CampaignRecord,
  Member,
  Module,
} from './types.ts';
export type { PublisherKey, PublisherKeys, PublisherScope } from './publisher-keys.ts';
export type {
  SearchDay,
  SearchRow,
  SearchTraffic,
  ServiceDay,
  StatisticsReader,
  XmlRow,
  XmlTraffic,
} from './statistics-rows.ts';
export type { FolderLock } from '../sqlite/index.ts';
