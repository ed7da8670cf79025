import { appBridge } from '#renderer/api/app-bridge.ts';
import { createAlertsStore } from './alerts-store.ts';

export { unseenAlertEvents } from './alerts-store.ts';

/** The page's store of alerts; the rail shows what of it is new on every page. */
export const alertsStore = createAlertsStore(appBridge);
