import { targetingDimensions } from '#shared/campaign/index.ts';

/**
 * What decides where the money goes, how much of it and when. However often one of these moves, sending the shown value could
 * undo what somebody else has just done on purpose, so each move asks again.
 */
const alwaysCompared: ReadonlySet<string> = new Set([
  'cid',
  'uid',
  'type',
  'status',
  'payout',
  'clickurl',
  'website',
  'enable_budget',
  'd_revenue',
  't_revenue',
  'enable_time',
  'create',
  'create_time',
  'expire',
  'expire_time',
  'enable_shedule',
  'shedule',
  'shedule_timezone',
  ...targetingDimensions.flatMap(({ flag, list }) => [flag, list]),
]);

/** True when a field that moves on every read may be left out of the comparison, with the person told so. */
export function mayBeVolatile(field: string): boolean {
  return !alwaysCompared.has(field);
}
