import { appBridge } from '#renderer/api/app-bridge.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { createCampaignsStore, lookUp } from './campaigns-store.ts';
import { createFullStore } from './full-store.ts';
import { createLastChangesStore } from './last-changes-store.ts';
import { createReturnsStore } from './returns-store.ts';
import { createWaitingStore } from './waiting-store.ts';

export { chosenCids, isOpenPart } from './activation.ts';
export type { ActivationChoice, ActivationPart } from './activation.ts';
export type { CampaignsState } from './campaigns-state.ts';
export { excludes, narrows } from './filter.ts';
export { formatList, parseList } from './list-address.ts';
export { loadedRows, oldestReadMs, rowAt } from './paged-list.ts';
export { returnable } from './returns-store.ts';
export type { OfferedReturn } from './returns-store.ts';
export { partToPause, shownPart } from './selection.ts';
export type { PagedList } from './paged-list.ts';
export { waitingWords } from './waiting-store.ts';

/** The page's store of the campaign list. */
export const campaignsStore = createCampaignsStore(appBridge);

/** The page's store of the decisions that wait for campaigns. */
export const waitingStore = createWaitingStore(appBridge);

/** The page's store of the offers to return paused campaigns. */
export const returnsStore = createReturnsStore(appBridge);

/** A few campaigns by text or id, for the palette. */
export const findCampaigns = (query: string): Promise<readonly CampaignRow[]> => lookUp(appBridge, query);

/** The page's store of campaigns that were read in full. */
export const fullStore = createFullStore(appBridge);

/** The page's store of the last changes of the campaigns in view. */
export const lastChangesStore = createLastChangesStore(appBridge);
