export {
  createMemberClient,
  type CampaignRead,
  type CampaignReader,
  type ListParams,
  type MemberClient,
  readAllRows,
  readConsistentRows,
} from './member-client.ts';
export { createPublisherClient, type PublisherClient, type ReportRequest } from './publisher-client.ts';
export type { CallOutcome, ReportStream } from './rest-requests.ts';
export { createAccess } from './oauth/refresh.ts';
export {
  type RemoteAccess,
  createMemoryGrants,
  parseClient,
  parseGrant,
  serializeClient,
  serializeGrant,
  type Grant,
  type GrantStore,
  type StoredGrant,
  type RegisteredClient,
} from './oauth/grants.ts';
export { discover, type Discovery, type DocumentRead } from './oauth/discovery.ts';
export { signIn, type SignInProgress, signOut } from './oauth/sign-in/sign-in.ts';
export { readEvents, UnreadableStream } from './remote/streams.ts';
export { createRemoteClient, type RemoteClient, loadProtocols } from './remote/remote-client.ts';
export type { CallProgress, ChangedList, ProtocolMemory } from './remote/session.ts';
export {
  callReadOnly,
  callRepeatable,
  createCampaignTools,
  createTaskTools,
  prepareCommit,
  readRunFile,
  type PreparedTask,
  type TaskList,
  type TaskTools,
  toolErrorIn,
  toolRefusalWords,
} from './account-tools.ts';
export { ExactJson } from './remote/rpc-message.ts';
export { isWebPage, withServiceWords } from './answers.ts';
export { affectsAllReads, pauseBeforeWriteMs } from './retry.ts';
export {
  maxAnswerBytes,
  readBytes,
  readText,
  textOf,
  type AnswerHeaders,
  type HttpAnswer,
} from '#system/http/answer.ts';
export { isLoopback, publicAddresses, systemLookup, type Lookup } from '#system/http/public-address.ts';
export { failureCodes, untrustedCodes } from '#system/http/failure-codes.ts';
export { setSystemNetwork, type SystemNetwork } from '#system/http/system-network.ts';
export { isRedirect, RequestFailure, requestText, sendRequest, withDeadline } from '#system/http/request.ts';
export { createUrlPolicy, readPlainAddress, type UrlPolicy } from './oauth/oauth-requests.ts';
