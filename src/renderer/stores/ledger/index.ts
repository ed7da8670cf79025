import { appBridge } from '#renderer/api/app-bridge.ts';
import { newFile } from '#renderer/api/host-services.ts';
import type { RetentionDays } from '#shared/app-api/index.ts';
import { reviewStore } from '../review/index.ts';
import { createDecisionsStore } from './decisions-store.ts';
import { createExportStore, createRetentionDaysStore } from './export-store.ts';
import { createLedgerStore } from './ledger-store.ts';
import { createNetEffectStore } from './net-effect-store.ts';

export { decisionRanges } from './decisions-store.ts';
export type { DecisionRange, DecisionsRead } from './decisions-store.ts';
export { dayStartMs } from './filter-form.ts';
export { hasOlder } from './ledger-store.ts';
export { isCut, storiesOf } from './stories.ts';
export type { LedgerStory } from './stories.ts';
export { emptyForm, excludes } from './filter-form.ts';
export type { KnownAgent } from './ledger-store.ts';
export type { RetentionDaysState } from './export-store.ts';
export type { Since } from './net-effect-store.ts';

const nowMs = (): number => Date.now();

/** The page's store of the ledger. */
export const ledgerStore = createLedgerStore(appBridge);

/** The page's store of how long details are kept. */
export const retentionDaysStore = createRetentionDaysStore<RetentionDays>(appBridge, {
  read: () => appBridge.call('ledger.retentionDays', {}),
  keep: (days) => appBridge.call('ledger.setRetentionDays', { days }),
});

/** The page's store of how long daily copies of campaigns are kept. */
export const copyDaysStore = createRetentionDaysStore<number>(appBridge, {
  read: () => appBridge.call('copies.days', {}),
  keep: (days) => appBridge.call('copies.setDays', { days }),
});

/** The page's store of exports. */
export const exportStore = createExportStore({ bridge: appBridge, newFile, nowMs });

/** The page's store of the user's decisions. */
export const decisionsStore = createDecisionsStore({ bridge: appBridge, nowMs });

/** The page's store of the net effect of agents, and of its reversal. */
export const netEffectStore = createNetEffectStore({
  bridge: appBridge,
  follow: (shown) => reviewStore.getState().follow(shown),
  nowMs,
});
