export { createMemberClient } from './member-client.ts';
export type {
  CampaignRead,
  CampaignReader,
  ListParams,
  MemberClient,
  MemberClientOptions,
} from './member-client.ts';
export { createPublisherClient } from './publisher-client.ts';
export type { PublisherClient } from './publisher-client.ts';
export type { ReportAddress } from './open-report.ts';
export type { ReportStream } from './report-stream.ts';
export type { CallOutcome } from './call.ts';
export {
  createAccess,
  createMemoryGrants,
  discover,
  readClient,
  readGrant,
  signIn,
  signOut,
  writeClient,
  writeGrant,
} from './oauth/index.ts';
export type {
  Discovery,
  DocumentRead,
  Grant,
  GrantStore,
  HeldGrant,
  RegisteredClient,
  RemoteAccess,
  SignInProgress,
} from './oauth/index.ts';
export { createRemoteClient, readEvents, UnreadableStream } from './remote/index.ts';
export type {
  CallOptions,
  CallProgress,
  ChangedList,
  RemoteClient,
  RemoteServerInfo,
} from './remote/index.ts';
export { createCampaignTools } from './campaign-tools.ts';
export { createTaskTools, readRunFile } from './task-tools.ts';
export type { PreparedTask, TaskList, TaskTools } from './task-tools.ts';
export { ExactJson } from './exact-json.ts';
export { foreignWords, quotation } from './foreign-words.ts';
export { pauseBeforeWriteMs } from './retry.ts';
export { readText } from './read-text.ts';
export { createUrlPolicy } from './url-policy.ts';
export type { UrlPolicy } from './url-policy.ts';
