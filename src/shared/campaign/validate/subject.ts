import type { CampaignContext, CampaignType } from '../../contract/index.ts';
import { jsonEqual, type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import type { CampaignKind } from '../types.ts';
import type { FieldErrorCode } from './codes.ts';

/** What a rule looks at. */
export interface Subject {
  payload: JsonObject;
  /** The stored campaign that the payload would replace. */
  base: JsonObject;
  context: CampaignContext;
  /** The payload's type; undefined when the tenant has no such type. */
  type: CampaignType | undefined;
  kind: CampaignKind;
}

/** How a rule says that a field fails. The first failure of a field counts. */
export type Report = (field: string, code: FieldErrorCode, message: string) => void;

/** One group of rules. Never throws, whatever JSON the payload holds. */
export type Rule = (subject: Subject, report: Report) => void;

/** The payload's value, or undefined for an absent key. */
export function valueOf({ payload }: Subject, field: string): JsonValue | undefined {
  return own(payload, field);
}

/** True when the payload leaves the field as it is stored. */
export function isUnchanged({ payload, base }: Subject, field: string): boolean {
  return jsonEqual(own(payload, field), own(base, field));
}

/** True when the flag is exactly 1. */
export function isOn(subject: Subject, flag: string): boolean {
  return valueOf(subject, flag) === 1;
}
