import { reviewReal, stopRealAgents, watchRealWork } from '#renderer/api/training-services.ts';
import { createRealWorkStore } from './real-work-store.ts';

/** The training page's store of the real work. */
export const realWorkStore = createRealWorkStore({ watchRealWork, reviewReal, stopRealAgents });
