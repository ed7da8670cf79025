import type { JsonValue } from '../../lib/json/json-value.ts';
import { fieldWords } from '../fields/fields.ts';
import { type TargetingDimension, targetingDimensions } from '../fields/targeting.ts';
import type { CampaignKind } from '../types.ts';
import {
  checkFlag,
  checkText,
  isUnchanged,
  type Report,
  reportOfChanges,
  type Rule,
  type Subject,
  valueOf,
} from './checks.ts';
import { ownWords, sentence } from '../../lib/sentence.ts';

/** Every selector: flag 1 means all values, flag 0 needs at least one. Exchanges are positive numeric ids (contract §2.4). */
export const checkTargeting: Rule = (subject, report) => {
  for (const dimension of targetingDimensions) {
    const stays = { with: [dimension.flag, 'type'], absence: 'passed over' } as const;
    const reported = reportOfChanges(subject, stays, report);
    checkFlag(subject, dimension.flag, reported);
    checkList(subject, dimension, reported);
  }
};

function checkList(subject: Subject, dimension: TargetingDimension, report: Report): void {
  const { flag, list, one, many } = dimension;
  const values = valueOf(subject, list);
  if (!Array.isArray(values)) {
    return report(
      list,
      values === undefined ? 'required' : 'wrong_type',
      sentence`${fieldWords(list)} must be a list.`,
    );
  }
  const wrong = values.findIndex((value) => !isMember(value, list, subject));
  if (wrong >= 0)
    report(list, 'wrong_type', sentence`Entry ${wrong + 1} of ${fieldWords(list)} is not valid.`);
  if (valueOf(subject, flag) !== 0) return;
  if (values.length === 0 && isNeeded(dimension, subject.kind)) {
    report(
      list,
      'needs_value',
      sentence`Name at least one ${ownWords(one)}, or target all ${ownWords(many)}.`,
    );
  }
  if (values.length > 0 && isForbidden(dimension, subject)) {
    report(list, 'not_allowed', sentence`${fieldWords(list)} cannot be targeted by Popunder campaigns.`);
  }
}

function isNeeded({ applies }: TargetingDimension, { pricing, popunder }: CampaignKind): boolean {
  if (applies === 'always') return true;
  return pricing === 'CPM' && !(applies === 'cpm-not-popunder' && popunder);
}

/** A stored value may stay until the type changes, even if it is forbidden. */
function isForbidden({ applies, flag, list }: TargetingDimension, subject: Subject): boolean {
  if (applies !== 'cpm-not-popunder' || !subject.kind.popunder) return false;
  return ![flag, list, 'type'].every((field) => isUnchanged(subject, field));
}

/** Countries are text codes. A stored list may stay even if it has other entries. */
function isMember(value: JsonValue, list: string, subject: Subject): boolean {
  if (list === 'exchanges') return isPositiveId(value);
  if (list === 'geo' && typeof value !== 'string' && !isUnchanged(subject, list)) return false;
  return isPlainValue(value);
}

function isPositiveId(value: JsonValue): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function isPlainValue(value: JsonValue): boolean {
  return typeof value === 'string'
    ? value.trim() !== ''
    : typeof value === 'number' && Number.isFinite(value);
}

export const checkKeywords: Rule = (subject, reportAny) => {
  const report = reportOfChanges(subject, { with: ['keywords_enabled'], absence: 'passed over' }, reportAny);
  checkFlag(subject, 'keywords_enabled', report);
  checkText(subject, 'keywords_whitelist', report);
  checkText(subject, 'keywords_blocklist', report);
};
