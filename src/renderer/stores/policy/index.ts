import { appBridge } from '#renderer/api/app-bridge.ts';
import { createPolicyStore } from './policy-store.ts';

/** The page's store of the administrator's policy. */
export const policyStore = createPolicyStore(appBridge);
