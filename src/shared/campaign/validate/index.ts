import type { CampaignContext } from '../../contract/index.ts';
import type { FieldError } from '../../errors/index.ts';
import type { JsonObject } from '../../lib/json/json-value.ts';
import { typeOf } from '../fields/fields.ts';
import { kindOf } from '../fields/kind.ts';
import { checkBidControls, checkBudget, checkPricing } from './money.ts';
import { checkCreative, checkDestination } from './creative.ts';
import { checkDelivery, checkFlight, checkWeeklySchedule } from './delivery.ts';
import { checkIdentity, checkKeySet, checkWellFormed } from './shape.ts';
import { checkKeywords, checkTargeting } from './targeting.ts';
import type { Report, Rule } from './checks.ts';
import type { Formats } from '../../lib/formats.ts';

const rules: readonly Rule[] = [
  checkKeySet,
  checkIdentity,
  checkPricing,
  checkDestination,
  checkCreative,
  checkBudget,
  checkFlight,
  checkWeeklySchedule,
  checkDelivery,
  checkTargeting,
  checkKeywords,
  checkBidControls,
  checkWellFormed,
];

/** Validates a payload against types, settings and campaign of one read (contract §2.4, §4.1, §8). Names each failing field once. Never throws. */
export function validateCampaign(
  payload: JsonObject,
  context: CampaignContext,
  base: JsonObject,
  formats: Formats,
): FieldError[] {
  const type = typeOf(payload, context);
  const subject = { payload, base, context, type, kind: kindOf(type) };
  const failures = new Map<string, FieldError>();
  const report: Report = (field, code, message) => {
    if (!failures.has(field)) failures.set(field, { field, code, message });
  };
  for (const rule of rules) rule(subject, report, formats);
  return [...failures.values()];
}

export { fieldErrorCodes } from './checks.ts';
