import { isJsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import { isPlainAddress, webHost } from '../../lib/web-address.ts';
import { fieldWords, limits } from '../fields/fields.ts';
import {
  checkFilledText,
  checkText,
  checkTextOrNull,
  isUnchanged,
  type Report,
  type Rule,
  type Subject,
  valueOf,
} from './checks.ts';
import { ownWords, sentence } from '../../lib/sentence.ts';

export const checkCreative: Rule = (subject, report) => {
  const { contextual, push } = subject.kind;
  if (contextual || push) {
    checkFilledText(subject, 'title', { report, max: limits.titleLength });
    checkFilledText(subject, 'description', { report, max: limits.descriptionLength });
  } else {
    checkTextOrNull(subject, 'title', report);
    checkTextOrNull(subject, 'description', report);
  }
  for (const field of ['icon', 'image']) {
    if (push || !(isUnchanged(subject, field) || isEmpty(valueOf(subject, field))))
      checkImage(subject, field, report);
  }
};

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}

function checkImage(subject: Subject, field: string, report: Report): void {
  const value = valueOf(subject, field);
  const label = fieldWords(field);
  if (value === undefined || value === null) {
    return report(field, 'required', sentence`${label} is required for this type.`);
  }
  const url = isJsonObject(value) ? value['url'] : undefined;
  if (typeof url !== 'string' || url === '') {
    report(
      field,
      'wrong_type',
      sentence`${label} must be an image object with a url, as the service gave it.`,
    );
  } else if (!isUnchanged(subject, field) && webHost(url) === null) {
    report(field, 'invalid_url', sentence`${label} must have an http or https url.`);
  }
}

/** The target of a click (CPC, CPV) and the advertiser's domain (CPM): HTTP(S), with macros unchanged (contract §2.4). */
export const checkDestination: Rule = (subject, report) => {
  const { pricing } = subject.kind;
  const hasClicks = pricing === 'CPC' || pricing === 'CPV';
  checkAddress(subject, { field: 'website', applies: pricing === 'CPM', report });
  if (hasClicks && lacksClickUrl(subject)) return report('type', 'not_allowed', noClickUrl);
  checkAddress(subject, { field: 'clickurl', applies: hasClicks, report });
  if (!subject.context.settings.edit_clickurl && !isUnchanged(subject, 'clickurl')) {
    report('clickurl', 'not_editable', 'This account may not change click URLs.');
  }
};

const unclearAddress =
  'no user name or password before it, no escaped characters in it, and no number in another notation.';

/** The website names the advertiser's domain, so a macro may follow the host but not replace it. */
const macroInHost = /^https?:\/\/[^/?#]*(?:\{|\[\w+\])/i;

const noClickUrl =
  'The type cannot change to this one: it needs a click URL, and this account may not change click URLs.';

/** The new type needs a click URL, none is stored, and the account may not set one. */
function lacksClickUrl(subject: Subject): boolean {
  if (subject.context.settings.edit_clickurl || isUnchanged(subject, 'type')) return false;
  const stored = own(subject.base, 'clickurl');
  return typeof stored !== 'string' || webHost(stored) === null;
}

function checkAddress(
  subject: Subject,
  { field, applies, report }: { field: string; applies: boolean; report: Report },
): void {
  if (!applies) return checkTextOrNull(subject, field, report);
  const text = checkText(subject, field, report);
  if (text === null) return;
  const label = fieldWords(field);
  if (webHost(text) !== null) {
    if (!isPlainAddress(text) && !isUnchanged(subject, field)) {
      return report(
        field,
        'invalid_url',
        sentence`${label} must name its host plainly: ${ownWords(unclearAddress)}`,
      );
    }
    if (field !== 'website' || !macroInHost.test(text)) return;
    return report(field, 'invalid_url', sentence`${label} must name the domain itself, without a macro.`);
  }
  if (text === '') report(field, 'required', sentence`${label} is required for this type.`);
  else report(field, 'invalid_url', sentence`${label} must be an http or https address.`);
}
