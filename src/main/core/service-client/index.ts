export { createMemberClient } from './member-client.ts';
export type { CampaignRead, ListParams, MemberClient, MemberClientOptions } from './member-client.ts';
export type { CallOutcome } from './call.ts';
