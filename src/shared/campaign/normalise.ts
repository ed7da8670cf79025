import type { JsonObject } from '../lib/json/json-value.ts';
import { targetingDimensions } from './targeting.ts';

/** The payload as the service stores it: a targeting flag of 1 empties its list (contract §2.4). The input stays as it is. */
export function normaliseCampaign(payload: JsonObject): JsonObject {
  const stored = { ...payload };
  for (const { flag, list } of targetingDimensions) {
    if (stored[flag] === 1 && Object.hasOwn(stored, list)) stored[list] = [];
  }
  return stored;
}
