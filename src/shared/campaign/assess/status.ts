import { own } from '../../lib/json/json-value.ts';
import { spendingInWords } from '../exposure/index.ts';
import { runs } from '../runs.ts';
import type { Risk } from './subject.ts';

/** A campaign that starts to spend, or to wait for its start, with the money that it may spend. */
export const activationRisk: Risk = ({ before, after, exposureAfter }) => {
  const to = own(after, 'status');
  if (!runs(to) || own(before, 'status') === to) return [];
  const spends = spendingInWords(exposureAfter);
  const text =
    to === 1
      ? `The campaign becomes active and ${spends}.`
      : `The campaign runs by its start and schedule and ${spends}.`;
  return [{ code: 'activates', severity: 'notice', text }];
};
