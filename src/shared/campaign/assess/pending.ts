import { statusNames, type StatusCode } from '../../contract/index.ts';
import { own } from '../../lib/json/json-value.ts';
import type { Warning } from '../types.ts';
import { amountOf } from '../words/list-words.ts';
import type { Risk } from './subject.ts';

const pending = 0;

/**
 * Warns of Pending campaigns that become Suspended or Paused: members can neither set a campaign to Pending again nor approve
 * it (contract §3), so no member can take this back. `froms` are the statuses that the campaigns have.
 */
export function pendingWarnings(froms: readonly unknown[], to: unknown): Warning[] {
  const count = froms.filter((from) => from === pending).length;
  if (count === 0 || (to !== 2 && to !== 3)) return [];
  const campaigns = amountOf(count, { one: 'Pending campaign becomes', many: 'Pending campaigns become' });
  const name = statusNames[to satisfies StatusCode];
  return [
    {
      code: 'leaves_pending',
      severity: 'warning',
      text: `${campaigns} ${name}. A member cannot undo this: members can neither set Pending again nor approve.`,
    },
  ];
}

/** The same for a full update that changes the status. */
export const pendingRisk: Risk = ({ before, after }) =>
  pendingWarnings([own(before, 'status')], own(after, 'status'));
