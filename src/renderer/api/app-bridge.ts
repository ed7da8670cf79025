import type { AppBridge } from './bridge.ts';
import { createHttpBridge } from './http-bridge.ts';

/** The app page's one bridge. Stores take it as an argument, so that tests pass their own. */
export const appBridge: AppBridge = createHttpBridge();
