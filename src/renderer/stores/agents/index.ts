import { appBridge } from '#renderer/api/app-bridge.ts';
import { copyText } from '#renderer/api/host-services.ts';
import { reviewStore } from '../review/index.ts';
import { createAdmissionsStore, createAgentsStore } from './agents-store.ts';
import { createCampaignSearchStore } from './campaign-search.ts';
import { createGuardrailsStore, createLimitsStore } from './guardrails-store.ts';
import { createEmergencyStopStore } from './emergency-stop-store.ts';
import { createRefusedStore } from './refused-store.ts';
import { createSampleAgentStore } from './sample-agent-store.ts';
import { createToolsStore } from './tools-store.ts';

export type { AgentsDoing, AgentsState } from './agents-store.ts';
export { readCids } from './guardrails-form.ts';
export { agentsOfAttempts } from './refused-store.ts';
export { maxFound } from './campaign-search.ts';
export { guardrailSentences, limitsSentence, withoutMain } from './guardrail-words.ts';
export type { GuardrailField, GuardrailsForm, Rule } from './guardrails-form.ts';
export { isEditing, isOutdated } from './guardrails-store.ts';
export { pendingStop } from './emergency-stop-store.ts';
export type { PendingStop } from './emergency-stop-store.ts';
export { isAtWork } from './sample-agent-store.ts';

/** The page's store of agents and the freeze. */
export const agentsStore = createAgentsStore({ bridge: appBridge, copyText });

/** The page's store of pending admissions. */
export const admissionsStore = createAdmissionsStore(appBridge);

/** The page's store of pinned tools. */
export const toolsStore = createToolsStore(appBridge);

/** The page's store of the limits of profiles. */
export const limitsStore = createLimitsStore(appBridge);

/** The page's search for protected campaigns. */
export const campaignSearchStore = createCampaignSearchStore(appBridge);

/** The page's store of guardrails. */
export const guardrailsStore = createGuardrailsStore(appBridge, campaignSearchStore);

/** The page's store of refused attempts. */
export const refusedStore = createRefusedStore(appBridge);

/** The page's store of the emergency stop. */
export const emergencyStopStore = createEmergencyStopStore({
  bridge: appBridge,
  follow: (shown) => reviewStore.getState().follow(shown),
  onFrozen: () => agentsStore.getState().reload(),
});

/** The page's store of the sample agent. */
export const sampleAgentStore = createSampleAgentStore(appBridge, (id) => reviewStore.getState().review(id));
