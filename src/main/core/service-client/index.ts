export { createMemberClient } from './member-client.ts';
export type {
  CampaignRead,
  CampaignReader,
  ListParams,
  MemberClient,
  MemberClientOptions,
} from './member-client.ts';
export { readEveryRow, readSteadyRows } from './every-row.ts';
export { createPublisherClient } from './publisher-client.ts';
export type { PublisherClient, ReportAddress } from './publisher-client.ts';
export type { ReportStream } from './report-stream.ts';
export type { CallOutcome } from './exchange.ts';
export { createAccess } from './oauth/refresh.ts';
export type { RemoteAccess } from './oauth/grants.ts';
export { discover, type Discovery } from './oauth/discovery/discovery.ts';
export type { DocumentRead } from './oauth/discovery/documents.ts';
export { createMemoryGrants, readClient, readGrant, writeClient, writeGrant } from './oauth/grants.ts';
export type { Grant, GrantStore, HeldGrant, RegisteredClient } from './oauth/grants.ts';
export { signIn, type SignInProgress } from './oauth/sign-in/sign-in.ts';
export { signOut } from './oauth/sign-in/sign-out.ts';
export { readEvents, UnreadableStream } from './remote/event-stream.ts';
export { createRemoteClient, type RemoteClient } from './remote/remote-client.ts';
export { loadRemoteTools } from './remote/sessions.ts';
export type { CallOptions, CallProgress, ChangedList, RemoteServerInfo } from './remote/session.ts';
export { createCampaignTools } from './campaign-tools.ts';
export { callHarmless, prepareCommit, toolErrorIn, toolRefusalWords } from './prepared-change.ts';
export { createTaskTools, readRunFile } from './task-tools.ts';
export type { PreparedTask, TaskList, TaskTools } from './task-tools.ts';
export { ExactJson } from './remote/message.ts';
export { foreignWords, isWebPage, withServiceWords } from './answers.ts';
export { isAway, pauseBeforeWriteMs } from './retry.ts';
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
export { createUrlPolicy, readPlainAddress } from './oauth/url-policy.ts';
export type { UrlPolicy } from './oauth/url-policy.ts';
