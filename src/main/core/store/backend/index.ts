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
} from './task-rows.ts';
export { newestFirst, type CampaignListPage, type CampaignListQuery } from './campaign-list.ts';
export type {
  BackendReader,
  BackendWriter,
  CampaignRecord,
  Member,
  Module,
  PublisherKey,
  PublisherKeys,
  PublisherScope,
} from './backend-rows.ts';
export type {
  SearchDay,
  SearchRow,
  SearchTraffic,
  ServiceDay,
  StatisticsReader,
  XmlRow,
  XmlTraffic,
} from './statistics-rows.ts';
export type { FolderLock } from '../sqlite/folder-lock.ts';
