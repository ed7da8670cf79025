import { isStatusCode } from '../../contract/index.ts';
import { limits } from '../fields/limits.ts';
import { checkFilledText, checkInteger } from './checks.ts';
import type { Rule } from './subject.ts';

/** cid, uid, name, type, status (contract §2.4). Whose uid it is and where a status may go is the service's to say. */
export const checkIdentity: Rule = (subject, report) => {
  checkInteger(subject, 'cid', report);
  checkInteger(subject, 'uid', report);
  checkFilledText(subject, 'name', { report, most: limits.nameLength });
  const type = checkInteger(subject, 'type', report);
  if (type !== null && subject.type === undefined) {
    report('type', 'not_allowed', 'This type is not enabled for the account.');
  }
  const status = checkInteger(subject, 'status', report);
  if (status !== null && !isStatusCode(status)) {
    report('status', 'out_of_range', 'Status must be a whole number from 0 to 4.');
  }
};
