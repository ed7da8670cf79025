import { isJsonObject } from '../../lib/json/json-value.ts';
import { isUnchanged, valueOf, type Rule } from './subject.ts';

/** Bid controls: a list of the service's own objects, for CPC and CPV where the tenant offers them (contract §2.4). */
export const checkBidControls: Rule = (subject, report) => {
  const value = valueOf(subject, 'bidControl');
  if (value === undefined)
    return report('bidControl', 'required', 'Bid controls are required; send [] for none.');
  if (!Array.isArray(value) || !value.every(isJsonObject)) {
    return report(
      'bidControl',
      'wrong_type',
      'Bid controls must be a list of the objects that the service gave.',
    );
  }
  // What is stored already may stay when an unrelated field is edited.
  if (value.length === 0 || (isUnchanged(subject, 'bidControl') && isUnchanged(subject, 'type'))) return;
  const { pricing } = subject.kind;
  if (!subject.context.settings.enable_bidcontrol) {
    report('bidControl', 'not_allowed', 'Bid controls are not available for this account.');
  } else if (pricing === 'CPM') {
    report('bidControl', 'not_allowed', 'Bid controls are available for CPC and CPV types only.');
  }
};
