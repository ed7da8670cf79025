export {
  hasOwnBackendSchema,
  openBackendStore,
  refuseForeignBackendSchema,
  removeBackendSecrets,
  type BackendStore,
} from './open-backend-store.ts';
export type { ApprovalRow, OperationRow, Picture } from './operation-rows.ts';
export {
  taskStates,
  runOutcomes,
  type RunOutcome,
  type TaskFile,
  type TaskRow,
  type TaskRunRow,
  type TaskState,
  type BackendReader,
  type BackendWriter,
  type CampaignListPage,
  type CampaignListQuery,
  type CampaignRecord,
  type Member,
  type Module,
} from './types.ts';
export type { PublisherKey, PublisherKeys, PublisherScope } from './backend-rows.ts';
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
