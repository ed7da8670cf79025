import { own } from '../../lib/json/own.ts';
import { exposureInWords } from '../exposure/index.ts';
import { runs } from '../runs.ts';
import type { Risk } from './subject.ts';

/** A campaign that starts to spend, or to wait for its start, with the money that it may spend. */
export const activationRisk: Risk = ({ before, after, exposureAfter }) => {
  const to = own(after, 'status');
  if (!runs(to) || own(before, 'status') === to) return [];
  const money = exposureInWords(exposureAfter);
  const text =
    to === 1
      ? `The campaign becomes active and can spend at once, ${money}.`
      : `The campaign runs by its start and schedule and can spend ${money}.`;
  return [{ code: 'activates', severity: 'notice', text }];
};
