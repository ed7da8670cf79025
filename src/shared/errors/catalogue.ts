import { agentFailures } from './agent-failures.ts';
import { changeFailures } from './change-failures.ts';
import { connectionFailures } from './connection-failures.ts';
import {
  dataFailures,
  programFailures,
  storageFailures,
  trainingFailures,
  updateFailures,
} from './program-failures.ts';
import { labelFailures, reportFailures, reportNoteFailures } from './report-failures.ts';
import { oauthRefusals, serviceRefusals } from './service-refusals.ts';

/** All expected failures of the program. Codes are never reused. `docs/errors.md` is generated from this table. */
export const catalogue = {
  ...programFailures,
  ...storageFailures,
  ...dataFailures,
  ...serviceRefusals,
  ...oauthRefusals,
  ...connectionFailures,
  ...agentFailures,
  ...reportFailures,
  ...reportNoteFailures,
  ...labelFailures,
  ...changeFailures,
  ...trainingFailures,
  ...updateFailures,
};

export type ErrorCode = keyof typeof catalogue;

export const errorCodes = Object.keys(catalogue) as [ErrorCode, ...ErrorCode[]];

/** The code for each HTTP status with which a service refuses (contract §7.1; 429 and 503 as in §7.3). */
export const refusalCodes: Readonly<Partial<Record<number, ErrorCode>>> = {
  400: 'operation_refused',
  401: 'unauthenticated',
  402: 'insufficient_balance',
  403: 'forbidden',
  404: 'campaign_not_found',
  422: 'validation_failed',
  429: 'rate_limited',
  503: 'service_unavailable',
};
