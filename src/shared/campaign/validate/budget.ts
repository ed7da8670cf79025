import { formatMoney, toMicros } from '../../lib/decimal.ts';
import { fieldLabel } from '../fields/labels.ts';
import { checkFlag, checkNumber } from './checks.ts';
import { isOn, type Report, type Rule, type Subject } from './subject.ts';

/** Daily and total budget: at least the tenant's minimum while budgeting is on; a total of 0 is unlimited (contract §2.4, §8). */
export const checkBudget: Rule = (subject, report) => {
  checkFlag(subject, 'enable_budget', report);
  const daily = checkNumber(subject, 'd_revenue', report);
  const total = checkNumber(subject, 't_revenue', report);
  if (daily !== null) checkAmount(subject, { field: 'd_revenue', amount: daily, report });
  if (total !== null && total !== 0) checkAmount(subject, { field: 't_revenue', amount: total, report });
};

function checkAmount(
  subject: Subject,
  { field, amount, report }: { field: string; amount: number; report: Report },
): void {
  const least = isOn(subject, 'enable_budget') ? subject.context.settings.min_budget : 0;
  if (amount >= least && amount >= 0) return;
  const unlimited = field === 't_revenue' ? ', or 0 for unlimited' : '';
  const text = formatMoney(toMicros(Math.max(least, 0)));
  report(field, 'out_of_range', `${fieldLabel(field)} must be at least ${text}${unlimited}.`);
}
