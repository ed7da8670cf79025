import { appBridge } from '#renderer/api/app-bridge.ts';
import { copyText } from '#renderer/api/host-services.ts';
import { createDoctorStore } from './doctor-store.ts';

export { findingsByState, lineCount, verdictOf } from './doctor-store.ts';
export type { Verdict } from './doctor-store.ts';

/** The page's store of the doctor. */
export const doctorStore = createDoctorStore({ bridge: appBridge, copyText });
