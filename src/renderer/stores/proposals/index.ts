import { appBridge } from '#renderer/api/app-bridge.ts';
import { createProposalsStore } from './proposals-store.ts';
import { createWaitingTimeStore } from './waiting-time-store.ts';

export { arrange } from './groups.ts';
export type { ProposalGroup, SingleProposal, WaitingEntry } from './groups.ts';
export type { ProposalDetail, ProposalsState, ProposalsStore, QueueView, Which } from './proposals-store.ts';
export { unreadCount } from './proposals-store.ts';
export type { SummaryList } from './proposals-store.ts';

/** The page's store of proposals. */
export const proposalsStore = createProposalsStore(appBridge);

/** The page's store of how long changes wait. */
export const waitingTimeStore = createWaitingTimeStore(appBridge);
