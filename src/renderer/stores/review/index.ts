import { appBridge } from '#renderer/api/app-bridge.ts';
import { createReviewStore } from './review-store.ts';

export type { ReviewState, ReviewStore } from './review-store.ts';

/** The page's review store. */
export const reviewStore = createReviewStore(appBridge);
