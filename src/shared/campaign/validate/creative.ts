import { isJsonObject, type JsonValue } from '../../lib/json/json-value.ts';
import { webHost } from '../../lib/web-address.ts';
import { fieldLabel } from '../fields/labels.ts';
import { limits } from '../fields/limits.ts';
import { checkFilledText, checkTextOrNull } from './checks.ts';
import { isUnchanged, valueOf, type Report, type Rule, type Subject } from './subject.ts';

/** Title and description of Contextual and Push, icon and main image of Push (contract §2.4). */
export const checkCreative: Rule = (subject, report) => {
  const { contextual, push } = subject.kind;
  if (contextual || push) {
    checkFilledText(subject, 'title', { report, most: limits.titleLength });
    checkFilledText(subject, 'description', { report, most: limits.descriptionLength });
  } else {
    checkTextOrNull(subject, 'title', report);
    checkTextOrNull(subject, 'description', report);
  }
  for (const field of ['icon', 'image']) {
    if (push || !(isUnchanged(subject, field) || isEmpty(valueOf(subject, field))))
      checkImage(subject, field, report);
  }
};

/** The value of a picture where the type has none. */
function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** An image object as the service gave it; a changed one leads to the web. */
function checkImage(subject: Subject, field: string, report: Report): void {
  const value = valueOf(subject, field);
  const label = fieldLabel(field);
  if (value === undefined || value === null) {
    return report(field, 'required', `${label} is required for this type.`);
  }
  const url = isJsonObject(value) ? value['url'] : undefined;
  if (typeof url !== 'string' || url === '') {
    report(field, 'wrong_type', `${label} must be an image object with a url, as the service gave it.`);
  } else if (!isUnchanged(subject, field) && webHost(url) === null) {
    report(field, 'invalid_url', `${label} must have an http or https url.`);
  }
}
