import { appBridge } from '#renderer/api/app-bridge.ts';
import { newFile } from '#renderer/api/host-services.ts';
import { serviceAheadMs, sessionStore } from '../session/index.ts';
import { uiStore } from '../ui/index.ts';
import type { ReportPrefill } from './report-form.ts';
import { createSchedulesStore } from './schedules-store.ts';

export { fieldOf, readDay } from './report-form.ts';
export type { FormErrors, ReportForm, ReportPrefill } from './report-form.ts';
export type { SchedulesState, SchedulesStore } from './schedules-store.ts';

/** The page's store of schedules. */
export const schedulesStore = createSchedulesStore({
  bridge: appBridge,
  newFile,
  zone: () => sessionStore.getState().session?.profile.zone ?? 'UTC',
  nowMs: () => Date.now() + serviceAheadMs(sessionStore.getState()),
});

/** Opens the dialog on the Schedules page with what the report that is shown is about. */
export function scheduleReport(prefill: ReportPrefill): void {
  schedulesStore.getState().openForm(prefill);
  uiStore.getState().navigate({ page: 'schedules', id: null });
}
