import { appBridge } from '#renderer/api/app-bridge.ts';
import { createUploadsStore } from './uploads-store.ts';

/** The page's store of uploaded pictures. */
export const uploadsStore = createUploadsStore(appBridge);
