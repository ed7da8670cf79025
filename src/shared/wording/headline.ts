import { bySeverity, severities } from './severities.ts';
import type { CallEffects, Headline, WriteWords } from './effects.ts';
import { fieldLabel, listSize, runs, pictureKinds, type FieldEffect } from '../campaign/index.ts';
import { changeInWords } from './changes.ts';
import type { Figure, RiskFinding, Update } from './warnings/subject.ts';
import { jsonEqual, own } from '../lib/json/json-value.ts';
import type { Formats } from '../lib/formats.ts';

/**
 * The figure of the most severe warning. Null if money or bid already shows it. Without warnings, a quiet figure of the
 * change itself.
 */
export function updateHeadline(
  marks: readonly RiskFinding[],
  update: Update,
  formats: Formats,
): Figure | null {
  const marksWithFigure = marks.filter(({ figure }) => figure !== undefined);
  const heaviest = marksWithFigure.find(({ code }) => severities[code] !== 'notice');
  if (heaviest?.figure !== undefined) return heaviest.figure === 'money' ? null : heaviest.figure;
  if (isMoneyChanged(update)) return null;
  const quiet =
    marksWithFigure.find(({ figure }) => figure !== 'money')?.figure ?? plainFigure(update, formats);
  return quiet === 'money' || quiet === null ? null : { ...quiet, isQuiet: true };
}

/**
 * Headline for a danger outside the change of a call: more campaigns than displayed, or undeclared arguments. Null if the
 * change has a danger.
 */
export function callHeadline(
  { effect, undeclared, named }: CallEffects,
  { targets, warnings }: Pick<WriteWords, 'targets' | 'warnings'>,
): Headline | null {
  if (warnings.some(({ severity }) => severity === 'danger')) return null;
  if (named.size > Math.max(targets.length, 1)) {
    const shown = targets.length === 0 ? {} : { before: String(targets.length) };
    return { label: 'Campaigns named in the call', ...shown, after: String(named.size) };
  }
  const isKnown = effect === 'stated' || effect === 'assumed';
  if (!isKnown || undeclared.length === 0) return null;
  return { label: 'Arguments that the tool’s definition does not name', after: String(undeclared.length) };
}

interface NamedWords {
  words: Pick<WriteWords, 'risk' | 'warnings'>;
  name: string | null;
}

/** The figure of the most severe change: shared by all members, or with the name of its campaign. */
export function batchHeadline(members: readonly NamedWords[]): Headline | undefined {
  const heaviest = members
    .filter(({ words }) => words.warnings.length > 0 || words.risk.headline !== undefined)
    .toSorted(byFirstWarning)[0];
  const figure = heaviest?.words.risk.headline;
  if (heaviest === undefined || figure === undefined) return undefined;
  if (members.every(({ words }) => jsonEqual({ ...words.risk.headline }, { ...figure }))) return figure;
  return figure.isQuiet === true
    ? undefined
    : { ...figure, label: `${figure.label} of ${heaviest.name ?? ''}` };
}

function byFirstWarning({ words: one }: NamedWords, { words: other }: NamedWords): number {
  const [first, second] = [one.warnings[0], other.warnings[0]];
  if (first === undefined || second === undefined)
    return Number(first === undefined) - Number(second === undefined);
  return bySeverity(first, second);
}

function isMoneyChanged({ before, after, changes, exposureBefore, exposureAfter }: Update): boolean {
  const isSame = (part: 'perDay' | 'untilEnd'): boolean => {
    const [from, to] = [exposureBefore[part], exposureAfter[part]];
    if (from.kind === 'unlimited' || to.kind === 'unlimited') return from.kind === to.kind;
    return from.micros === to.micros;
  };
  const isActivated = runs(own(after, 'status')) && own(before, 'status') !== own(after, 'status');
  return (
    isActivated || !isSame('perDay') || !isSame('untilEnd') || changes.some(({ field }) => field === 'payout')
  );
}

const fieldsByImportance = [
  'status',
  'clickurl',
  'website',
  'geo_enabled',
  'geo',
  'shedule',
  'enable_time',
  'expire',
  'create',
  'd_revenue',
  't_revenue',
  ...pictureKinds,
  'name',
];

const contextLength = 12;
const maxTextLength = 60;

function plainFigure({ changes, context }: Update, formats: Formats): Figure | null {
  const weightOf = ({ field }: FieldEffect): number =>
    fieldsByImportance.includes(field) ? fieldsByImportance.indexOf(field) : fieldsByImportance.length;
  const [first] = changes.toSorted((one, other) => weightOf(one) - weightOf(other));
  if (first === undefined || isPicture(first)) return null;
  const { label, before, after, delta, added, removed } = changeInWords(first, context, formats);
  if (added.length + removed.length > 0) {
    return {
      label,
      before: sizeOf(first.field, first.before, formats),
      after: sizeOf(first.field, first.after, formats),
      delta: entriesText(added, removed, formats),
    };
  }
  const [from, to] = differingParts(before, after);
  return { label: fieldLabel(first.field), before: from, after: to, ...(delta !== null && { delta }) };
}

function isPicture({ field }: FieldEffect): boolean {
  return pictureKinds.some((kind) => kind === field);
}

function sizeOf(field: string, list: unknown, formats: Formats): string {
  return listSize(field, Array.isArray(list) ? list.length : 0, formats);
}

const maxNamed = 3;

/** `− BR`, `+ US, CA`, `− 12`. */
function entriesText(added: readonly string[], removed: readonly string[], formats: Formats): string {
  const named = (sign: string, entries: readonly string[]): string[] => {
    if (entries.length === 0) return [];
    const isShort = entries.length <= maxNamed && entries.join(', ').length <= maxTextLength / 2;
    return [`${sign} ${isShort ? entries.join(', ') : formats.count(entries.length)}`];
  };
  return [...named('+', added), ...named('−', removed)].join(' / ');
}

function differingParts(before: string, after: string): [string, string] {
  if (before.length <= maxTextLength && after.length <= maxTextLength) return [before, after];
  const [from, to] = [[...before], [...after]];
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  const excerpt = (letters: readonly string[]): string => {
    const first = Math.max(0, start - contextLength);
    const last = Math.min(
      letters.length,
      Math.max(start, letters.length - end) + contextLength,
      first + maxTextLength,
    );
    return `${first > 0 ? '…' : ''}${letters.slice(first, last).join('')}${last < letters.length ? '…' : ''}`;
  };
  return [excerpt(from), excerpt(to)];
}
