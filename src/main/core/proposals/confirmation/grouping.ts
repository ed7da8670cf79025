import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { type ChangeView, type FieldChange, statusDeed, sumPairs } from '#shared/campaign/index.ts';
import { isStatusCode, type StatusCode } from '#shared/contract/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { exactFactor, isFactorExact, percentText } from '#shared/lib/decimal.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { isUndecided } from '../lifecycle/state-table.ts';
import type { ProposalWords } from '../operations/operation.ts';

type Group = NonNullable<ProposalWords['group']>;

/** A reason to decide a change alone. */
type Alone = Pick<ProposalWords, 'warnings' | 'typeToConfirm' | 'targets'>;

/** One changed field as it was told to people, with its JSON value. */
export interface GroupedChange {
  change: FieldChange;
  view: ChangeView;
}

/**
 * The common part of equal updates: the same fields, a measured one by its exact factor, any other by its new value. Null for a
 * change that a person has to look at alone: a danger, a value to type, several campaigns.
 */
export function groupOfUpdate(words: Alone, changes: readonly GroupedChange[]): Group | null {
  if (isAlone(words) || changes.length === 0) return null;
  const sorted = changes.toSorted((a, b) => (a.change.field < b.change.field ? -1 : 1));
  return {
    key: canonicalJson(sorted.map(keyOf)),
    title: sentence(sorted.map(titleOf)),
  };
}

/** The same for a change of status, which is equal to an update of nothing but the status. */
export function groupOfStatus(words: Alone, to: StatusCode): Group | null {
  if (isAlone(words)) return null;
  return { key: canonicalJson([['status', 'to', to]]), title: statusDeed(to) };
}

function isAlone({ warnings, typeToConfirm, targets }: Alone): boolean {
  return (
    targets.length !== 1 || typeToConfirm !== null || warnings.some(({ severity }) => severity === 'danger')
  );
}

/** A factor in words is rounded: changes that only read alike are not equal. */
function keyOf({ change: { field, before, after }, view: { factor } }: GroupedChange): JsonValue {
  const isMeasured = factor !== null && typeof before === 'number' && typeof after === 'number';
  if (isMeasured) return [field, 'by', exactFactor(before, after)];
  return after === undefined ? [field, 'gone'] : [field, 'to', after];
}

function titleOf({
  change: { field, before, after },
  view: { label, factor, delta, after: words },
}: GroupedChange): string {
  if (field === 'status' && isStatusCode(after)) return statusDeed(after);
  const one = `the ${inSentence(label)}`;
  if (factor === null || typeof before !== 'number' || typeof after !== 'number') {
    return `Set ${one} to ${quotedStart(words, mostOfValue)}`;
  }
  const what = plurals[field] ?? one;
  const verb = delta?.startsWith('+') === true ? 'Raise' : 'Lower';
  const percent = percentText(before, after);
  if (percent !== null) return `${verb} ${what} by ${percent}`;
  return `${verb} ${what} ${isFactorExact(before, after) ? '' : 'about '}${factor}`;
}

/** The field that is raised or lowered in several campaigns. */
const plurals: Readonly<Record<string, string>> = {
  payout: 'bids',
  d_revenue: 'daily budgets',
  t_revenue: 'total budgets',
};

const mostTold = 3;

/** So much of a new value stands in the title, in code points; each change says all of it. */
const mostOfValue = 300;

function sentence(parts: readonly string[]): string {
  const told = parts.slice(0, mostTold).map((part, index) => (index === 0 ? part : lowered(part)));
  const more = parts.length - told.length;
  const rest = more === 0 ? [] : [counted(more, 'more change')];
  const all = [...told, ...rest];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}

/** Labels are sentence case; acronyms keep their capitals. */
function inSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? lowered(label) : label;
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/**
 * Every change of the profile that waits for a decision, with the sum of its money; null where nothing waits besides this
 * proposal. A batch is its members, so nothing counts twice.
 */
export function queueOf(
  store: AppStore,
  { state, operation, profile }: StoredProposal,
  { detail }: ProposalWords,
): ProposalView['queue'] {
  if (!isUndecided(state) || operation === 'agent.admit') return null;
  const money = store.proposals.waitingMoney(profile.id);
  const own =
    detail.kind === 'batch' ? detail.members.filter((member) => isUndecided(member.state)).length : 1;
  if (money.length <= own) return null;
  const { pair, alwaysUnlimited } = sumPairs(money);
  return { count: money.length, perDay: pair, ...(alwaysUnlimited > 0 && { alwaysUnlimited }) };
}
