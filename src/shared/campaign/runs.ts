import type { JsonValue } from '../lib/json/json-value.ts';

/** True for the statuses with which a campaign may spend: Active, and Scheduled, which spends by its start and schedule (contract §3). */
export function runs(status: JsonValue | undefined): boolean {
  return status === 1 || status === 4;
}
