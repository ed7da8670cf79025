import { type BudgetField, countryName, fieldLabel } from '../campaign/index.ts';
import { isStatusCode, statusNames } from '../contract/index.ts';
import { assertNever } from '../lib/assert-never.ts';
import { toMicros } from '../lib/decimal.ts';
import { inertText, quoted } from '../lib/inert-text.ts';
import { listed } from '../lib/sentence.ts';
import type { CampaignCondition } from './condition.ts';
import type { Formats } from '../lib/formats.ts';

export const budgetNames: Readonly<Record<BudgetField, string>> = {
  d_revenue: 'Daily budget',
  t_revenue: 'Total budget',
};

/**
 * Describes the condition in a few words, inert: `Country: Brazil`, `Daily budget above $100`. `labelName` returns null
 * for a deleted label.
 */
export function conditionInWords(
  condition: CampaignCondition,
  labelName: (id: string) => string | null,
  formats: Formats,
): string {
  switch (condition.kind) {
    case 'status':
      return `Status: ${eitherOf(condition.statuses.map(statusName))}`;
    case 'type':
      return `Type: ${eitherOf(condition.names.map(inertText))}`;
    case 'name':
      return `Name ${containsWord(condition.is)} ${quoted(condition.text)}`;
    case 'ids':
      return condition.cids.length === 1
        ? `ID: ${condition.cids.join()}`
        : `ID: ${formats.counted(condition.cids.length, 'campaign')} listed`;
    case 'bid':
      return boundsInWords(condition, formats);
    case 'budget':
      return `${budgetNames[condition.column]} ${condition.is} ${moneyWords(condition.amount, formats)}`;
    case 'country':
      return `Country: ${eitherOf([...condition.codes.map(countryWords), ...(condition.orAll ? ['worldwide'] : [])])}`;
    case 'countryTargeting':
      return condition.is === 'all' ? 'Targets all countries' : 'Targets chosen countries';
    case 'bidControls':
      return condition.has ? 'Has bid controls' : 'No bid controls';
    case 'spendsToday':
      return condition.limit === 'any' ? 'At risk today' : 'At risk today without a limit';
    case 'runsNow':
      return condition.runs ? 'Runs now' : 'Does not run now';
    case 'endsWithin':
      return condition.days === 0 ? 'Ends today' : `Ends within ${formats.counted(condition.days, 'day')}`;
    case 'noEnd':
      return 'No end date';
    case 'pricing':
      return `Pricing: ${eitherOf(condition.pricings)}`;
    case 'domain':
      return `Domain: ${inertText(condition.domain)}`;
    case 'member':
      return `${condition.field === null ? 'Any list' : fieldLabel(condition.field)} ${containsWord(condition.is)} ${quoted(condition.member)}${condition.orAll ? ' or all' : ''}`;
    case 'label': {
      const names = eitherOf(condition.labels.map((id) => inertText(labelName(id) ?? 'deleted label')));
      return condition.is === 'any' ? `Label: ${names}` : `Without label ${names}`;
    }
    case 'note':
      return condition.has ? 'Has a note' : 'No note';
    default:
      return assertNever(condition);
  }
}

const named = 3;

function eitherOf(names: readonly string[]): string {
  const shown =
    names.length > named ? [...names.slice(0, named - 1), `${names.length - named + 1} more`] : names;
  return listed(shown, 'or');
}

const statusName = (code: number): string => (isStatusCode(code) ? statusNames[code] : String(code));

const containsWord = (is: 'contains' | 'lacks'): string =>
  is === 'contains' ? 'contains' : 'does not contain';

export function countryWords(code: string): string {
  return countryName(code) ?? inertText(code);
}

function moneyWords(amount: number, formats: Formats): string {
  return formats.money(toMicros(amount)).replace(/\.00$/u, '');
}

function boundsInWords({ min, max }: Extract<CampaignCondition, { kind: 'bid' }>, formats: Formats): string {
  const [minText, maxText] = [min, max].map((bound) =>
    bound === null ? null : formats.bid(toMicros(bound)),
  );
  if (minText === null) return maxText === null ? 'Any bid' : `Bid at most ${maxText}`;
  return maxText === null ? `Bid at least ${minText}` : `Bid ${minText} – ${maxText}`;
}
