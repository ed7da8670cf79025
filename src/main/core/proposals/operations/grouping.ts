import {
  type ChangeView,
  type FieldEffect,
  fieldLabel,
  type Ratio,
  statusDeed,
} from '#shared/campaign/index.ts';
import { isStatusCode, type StatusCode } from '#shared/contract/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { factorText, isFactorExact, percentText } from '#shared/lib/decimal.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { ProposalWords } from '../operations/operation.ts';

type Group = NonNullable<ProposalWords['group']>;

/** A reason to decide a change alone. */
type Alone = Pick<ProposalWords, 'warnings' | 'typeToConfirm' | 'targets'>;

/**
 * The common part of equal updates: the same fields, a measured one by its exact factor, any other by its new value. Null for a
 * change that a person has to look at alone: a danger, a value to type, several campaigns.
 */
export function groupOfUpdate(
  words: Alone,
  { effects, changes }: { effects: readonly FieldEffect[]; changes: readonly ChangeView[] },
): Group | null {
  if (isAlone(words) || effects.length === 0) return null;
  const sorted = effects.toSorted((a, b) => (a.field < b.field ? -1 : 1));
  const views = new Map(changes.map((view) => [view.field, view]));
  return {
    key: canonicalJson(sorted.map(keyOf)),
    title: sentence(sorted.map((effect) => titleOf(effect, views.get(effect.field)))),
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

/** By the exact ratio: a factor in words is rounded, and changes that only read alike are not equal. */
function keyOf(effect: FieldEffect): JsonValue {
  const { field, after } = effect;
  const ratio = ratioOf(effect);
  if (ratio !== null) return [field, 'by', ratio.exact];
  return after === undefined ? [field, 'gone'] : [field, 'to', after];
}

function ratioOf({ measure }: FieldEffect): Ratio | null {
  return measure.kind === 'money' || measure.kind === 'count' ? measure.ratio : null;
}

function titleOf(effect: FieldEffect, view: ChangeView | undefined): string {
  const { field, before, after } = effect;
  if (field === 'status' && isStatusCode(after)) return statusDeed(after);
  const one = `the ${inSentence(fieldLabel(field))}`;
  const ratio = ratioOf(effect);
  if (ratio === null) return `Set ${one} to ${quotedStart(view?.after ?? '', maxValueLength)}`;
  const what = plurals[field] ?? one;
  const verb = ratio.isRaise ? 'Raise' : 'Lower';
  const [from, to] = [Number(before), Number(after)];
  const percent = percentText(from, to);
  if (percent !== null) return `${verb} ${what} by ${percent}`;
  return `${verb} ${what} ${isFactorExact(from, to) ? '' : 'about '}${factorText(from, to)}`;
}

/** The field that is raised or lowered in several campaigns. */
const plurals: Readonly<Record<string, string>> = {
  payout: 'bids',
  d_revenue: 'daily budgets',
  t_revenue: 'total budgets',
};

const maxListed = 3;

/** Maximum length of a new value in the title, in code points; each change shows all of it. */
const maxValueLength = 300;

function sentence(parts: readonly string[]): string {
  const listed = parts.slice(0, maxListed).map((part, index) => (index === 0 ? part : lowered(part)));
  const more = parts.length - listed.length;
  const rest = more === 0 ? [] : [counted(more, 'more change')];
  const all = [...listed, ...rest];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}

/** Labels are sentence case; acronyms keep their capitals. */
function inSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? lowered(label) : label;
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
