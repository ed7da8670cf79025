import type { AppBridge } from './bridge.ts';
import { createDesktopBridge } from './desktop-bridge.ts';
import { createHttpBridge } from './http-bridge.ts';
import { appPreload } from './desktop-host.ts';

const preload = appPreload();

/** The app page's one bridge, to whichever host shows it. Stores take it as an argument, so that tests pass their own. */
export const appBridge: AppBridge = preload ? createDesktopBridge(preload) : createHttpBridge();
