import { jsonEqual, type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { diffCampaigns, isSameValue } from './effects.ts';
import { targetingDimensions } from '../fields/targeting.ts';
import type { FieldVerdict } from '../types.ts';

export function judgeFields(sent: JsonObject, found: JsonObject): Map<string, Verdict> {
  const expected = normaliseCampaign(sent);
  const verdicts = Object.keys(sent).map((field): [string, Verdict] => {
    const finding = { asked: own(sent, field), expected: own(expected, field), now: own(found, field) };
    return [field, verdictOf({ ...finding, isOrdered: field === 'shedule' })];
  });
  return new Map(verdicts);
}

type Verdict = Exclude<FieldVerdict['verdict'], 'unknown'>;

interface Finding {
  asked: JsonValue | undefined;
  expected: JsonValue | undefined;
  now: JsonValue | undefined;
  isOrdered: boolean;
}

function verdictOf({ asked, expected, now, isOrdered }: Finding): Verdict {
  if (now !== undefined && isSameValue(asked, now)) return 'stored';
  if (now !== undefined && jsonEqual(expected, now)) return 'normalised';
  if (typeof asked === 'string' && typeof now === 'string')
    return asked.trim() === now ? 'normalised' : 'different';
  return !isOrdered && isReordered(asked, now) ? 'normalised' : 'different';
}

function isReordered(asked: JsonValue | undefined, now: JsonValue | undefined): boolean {
  if (!Array.isArray(asked) || !Array.isArray(now)) return false;
  const [change] = diffCampaigns({ list: asked }, { list: now });
  return change?.members?.added.length === 0 && change.members.removed.length === 0;
}

/** The payload as the service stores it: a targeting flag of 1 empties its list (contract §2.4). The input stays as it is. */
export function normaliseCampaign(payload: JsonObject): JsonObject {
  const stored = { ...payload };
  for (const { flag, list } of targetingDimensions) {
    if (stored[flag] === 1 && Object.hasOwn(stored, list)) stored[list] = [];
  }
  return stored;
}

export interface Evidence {
  base: JsonObject;
  sent: JsonObject;
  found: JsonObject;
  /** Fields that the service changes by itself; they say nothing. */
  volatile?: readonly string[];
}

/** What a read proves about a write without an answer: `payload` stored (a changed field proves it), `base` untouched, else `other`. */
export function storedEvidence({ base, sent, found, volatile = [] }: Evidence): 'payload' | 'base' | 'other' {
  const judged = [...judgeFields(sent, found)].filter(([field]) => !volatile.includes(field));
  const isAllThere = judged.every(([, verdict]) => verdict !== 'different');
  const proves = judged.some(
    ([field]) =>
      !isSameValue(own(base, field), own(sent, field)) && !isSameValue(own(base, field), own(found, field)),
  );
  if (isAllThere && proves) return 'payload';
  return diffCampaigns(base, found).every(({ field }) => volatile.includes(field)) ? 'base' : 'other';
}
