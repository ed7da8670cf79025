import { type CampaignFactsChange, raisePerDay, raiseUntilEnd } from '../campaign/index.ts';
import type { Formats } from '../lib/formats.ts';
import { quotedStart } from '../lib/inert-text.ts';
import { ownWords, type Sentence, sentence, joinSentences } from '../lib/sentence.ts';
import {
  type EffectCertainty,
  effectCertainties,
  type FieldOperand,
  type MoneyAtRisk,
  type TargetView,
  type TypedValue,
  type WriteWords,
} from './effects.ts';
import { batchHeadline } from './headline.ts';
import { moneyOf } from './money.ts';
import { type Warning, type WarningCode, warningOf } from './severities.ts';
import { titles } from './titles.ts';

interface BatchMember {
  words: WriteWords;
  isStatus: boolean;
}

interface Batch<Member extends BatchMember> {
  equally: Sentence;
  members: readonly Member[];
  operand: readonly FieldOperand[] | null;
}

type Remark = Pick<Warning, 'severity' | 'text'>;

export function batchWords<Member extends BatchMember>(
  { equally, members, operand }: Batch<Member>,
  formats: Formats,
): WriteWords & { remarks: Remark[][] } {
  const all = members.map(({ words }) => words);
  const targets = distinctTargets(all);
  const named = all.map((words) => ({ warnings: words.warnings, name: nameOf(words) }));
  const warnings = batchWarnings(named, targets.length, formats);
  const notes = sharedNotes(all);
  return {
    title: titles.batch(equally, { count: members.length, noun: 'change' }, formats),
    targets,
    risk: { ...riskOf(members, formats), notes },
    warnings: warnings.lines,
    typeToConfirm: typedValue(members, operand),
    changes: [],
    unchanged: [],
    effects: {
      certainty: leastCertain(all),
      changes: all.flatMap(({ effects }) => effects.changes),
    },
    facts: factsOfAll(members),
    remarks: all.map(({ risk }, index) => [
      ...(warnings.rows[index] ?? []),
      ...risk.notes
        .filter((note) => !notes.includes(note))
        .map((text) => ({ severity: 'notice' as const, text })),
    ]),
  };
}

function leastCertain(all: readonly WriteWords[]): EffectCertainty {
  return (
    effectCertainties.findLast((certainty) => all.some(({ effects }) => effects.certainty === certainty)) ??
    'stated'
  );
}

/** Counts only campaigns that change, because an unlimited campaign would hide other raises. */
function riskOf(members: readonly BatchMember[], formats: Formats): Omit<WriteWords['risk'], 'notes'> {
  const changing = members.flatMap(changingTargets);
  // A call without a known campaign has its own figures.
  const parts = members.flatMap((member): Pick<MoneyAtRisk, 'perDay' | 'untilEnd'>[] => {
    const targets = changingTargets(member);
    return targets.length === 0 ? [member.words.risk] : targets;
  });
  const headline = batchHeadline(members.map(({ words }) => ({ words, name: nameOf(words) })));
  return {
    ...moneyOf(parts, campaignsIn(changing), formats),
    bidFactor: commonValue(members.map(({ words }) => words.risk.bidFactor)),
    ...(headline !== undefined && { headline }),
  };
}

function campaignsIn(targets: readonly TargetView[]): number {
  return new Set(targets.map(({ cid }) => cid)).size;
}

function sharedNotes(all: readonly WriteWords[]): Sentence[] {
  const [first, ...others] = all.map(({ risk }) => risk.notes);
  return (first ?? []).filter((note) => others.every((notes) => notes.includes(note)));
}

const maxNameLength = 60;

/** `“DE push – summer” (1042)`. Null for a change of several campaigns. */
function nameOf({ targets }: WriteWords): string | null {
  const [only, second] = targets;
  return only === undefined || second !== undefined
    ? null
    : `${quotedStart(only.name, maxNameLength)} (${only.cid})`;
}

function changingTargets({ words, isStatus }: BatchMember): TargetView[] {
  return isStatus ? words.targets.filter(isStatusChanged) : words.targets;
}

function isStatusChanged({ statusBefore, statusAfter }: TargetView): boolean {
  return statusBefore !== statusAfter;
}

const maxUntyped = 20;

/** Demands the new host if the host changes. Otherwise a number, for many changes, a raise, or a member that demands typing. */
function typedValue(
  members: readonly BatchMember[],
  operand: readonly FieldOperand[] | null,
): TypedValue | null {
  const all = members.map(({ words }) => words);
  const host = operand?.some(({ by }) => by === 'host') === true ? all[0]?.typeToConfirm : null;
  if (host) return host;
  const asks = all.some(({ typeToConfirm }) => typeToConfirm !== null);
  const hasRaise = all.some(({ targets, risk }) => [risk, ...targets].some(isRaised));
  if (members.length <= maxUntyped && !asks && !hasRaise) return null;
  const changing = members.map(changingTargets);
  return changing.some(({ length }) => length === 0)
    ? { label: 'Type the number of changes to confirm', value: String(members.length) }
    : { label: typeCampaigns, value: String(campaignsIn(changing.flat())) };
}

const typeCampaigns = 'Type the number of campaigns to confirm';

/** Compares each campaign: a decrease in one must not offset a raise in another. */
function isRaised(figures: Pick<MoneyAtRisk, 'perDay' | 'untilEnd'>): boolean {
  return raisePerDay(figures.perDay) !== 0n || raiseUntilEnd(figures) !== 0n;
}

function distinctTargets(all: readonly WriteWords[]): TargetView[] {
  const targets = all.flatMap((words) => words.targets);
  return [...new Map(targets.map((target) => [target.cid, target])).values()];
}

/** Compares the state before a campaign's first member with the state after its last. Empty unless all states are known. */
function factsOfAll(members: readonly BatchMember[]): WriteWords['facts'] {
  const byCid = new Map<number, CampaignFactsChange>();
  for (const facts of members.flatMap(({ words }) => words.facts)) {
    byCid.set(facts.cid, { ...facts, before: byCid.get(facts.cid)?.before ?? facts.before });
  }
  const areKnown = members.every((member) => {
    const targets = changingTargets(member);
    return targets.length > 0 && targets.every(({ cid }) => byCid.has(cid));
  });
  return areKnown ? [...byCid.values()] : [];
}

function commonValue(values: readonly (string | null)[]): string | null {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}

interface StatusBatch {
  equally: Sentence;
  /** `status`: one status change in several parts. `return`: resumes the statuses from before a pause. */
  asOne: { kind: 'status' } | { kind: 'return'; pausedAtMs: number } | undefined;
  moves: readonly WriteWords[];
  createdAtMs: number;
}

export function statusBatchWords(
  { equally, asOne, moves: statusChanges, createdAtMs }: StatusBatch,
  formats: Formats,
): WriteWords {
  const targets = statusChanges.flatMap((words) => words.targets);
  const changing = targets.filter(isStatusChanged);
  const count = changing.length;
  const [only, second] = statusChanges;
  const asks = statusChanges.some(({ typeToConfirm }) => typeToConfirm !== null);
  const warnings = statusChanges.flatMap((words) => words.warnings);
  const distinctWarnings = [...new Map(warnings.map((one) => [one.text, one])).values()];
  const isReturn = asOne?.kind === 'return';
  const title = isReturn
    ? titles.return(count, formats.shortMoment(asOne.pausedAtMs, createdAtMs), formats)
    : asOne?.kind === 'status' && only !== undefined && second === undefined
      ? only.title
      : titles.batch(equally, { count, noun: 'campaign' }, formats);
  return {
    title,
    targets,
    risk: {
      ...moneyOf(changing, count, formats),
      bidFactor: null,
      notes: [...new Set(statusChanges.flatMap(({ risk }) => risk.notes))],
    },
    warnings: isReturn ? warningsOfReturn(distinctWarnings, changing, formats) : distinctWarnings,
    typeToConfirm: asks ? { label: typeCampaigns, value: String(count) } : null,
    changes: statusChanges.flatMap((words) => words.changes),
    unchanged: statusChanges.flatMap(({ unchanged }) => unchanged),
    effects: { certainty: 'stated', changes: statusChanges.flatMap(({ effects }) => effects.changes) },
    facts: statusChanges.flatMap(({ facts }) => facts),
  };
}

/** Warnings that repeat the title: how many campaigns return and what they may spend. */
const shownInTitle: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'exposure_unlimited',
  'bulk_activation',
  'activates',
  'mixed_statuses',
]);

function warningsOfReturn(
  all: readonly Warning[],
  changing: readonly TargetView[],
  formats: Formats,
): Warning[] {
  const unlimited = changing.filter(({ perDay }) => perDay.after.unlimited).length;
  const noLimit = warningOf('exposure_unlimited', noLimitWords(unlimited, changing.length, formats));
  return [...(unlimited === 0 ? [] : [noLimit]), ...all.filter(({ code }) => !shownInTitle.has(code))];
}

function noLimitWords(count: number, of: number, formats: Formats): Sentence {
  if (of === 1) return sentence`It has no daily limit.`;
  return count === of
    ? sentence`None of them has a daily limit.`
    : sentence`${ownWords(formats.count(count))} of them ${ownWords(count === 1 ? 'has' : 'have')} no daily limit.`;
}

const manyCampaigns = 10;

/** Max texts listed for one warning. With more, only the first is listed. */
const maxTexts = 3;

const maxNamed = 3;

interface WarnedMember {
  warnings: readonly Warning[];
  name: string | null;
}

interface SharedWarnings {
  warnings: readonly Warning[];
  all: readonly Warning[];
  memberIndexes: readonly number[];
  isExample: boolean;
}

/**
 * Warnings about the same members share one line per severity. A danger is always listed in full. `rows` has each member's
 * warnings that are in no line about that member.
 */
export function batchWarnings(
  members: readonly WarnedMember[],
  campaignCount: number,
  formats: Formats,
): { lines: Warning[]; rows: Warning[][] } {
  const shared = sharedWarnings(members);
  const hasOwnLine = ({ memberIndexes: about, warnings: [first] }: SharedWarnings): boolean =>
    about.length === members.length || first?.severity !== 'notice';
  const isNamed = ({ memberIndexes: about }: SharedWarnings): boolean =>
    about.length === members.length || about.length <= maxNamed;
  const shownKeys = new Set(
    shared.filter((one) => hasOwnLine(one) && isNamed(one)).flatMap(({ all }) => all.map(keyOf)),
  );
  const text = sentence`${ownWords(formats.counted(campaignCount, 'campaign'))} change at once.`;
  return {
    lines: [
      ...(campaignCount < manyCampaigns ? [] : [warningOf('many_campaigns', text)]),
      ...mergeLines(shared.filter(hasOwnLine)).flatMap((line) => lineOf(line, members, formats)),
    ],
    rows: members.map(({ warnings }) => warnings.filter((warning) => !shownKeys.has(keyOf(warning)))),
  };
}

function keyOf({ severity, code, text }: Warning): string {
  return `${severity} ${code} ${text}`;
}

/** With many texts of one kind, the first represents all of them, unless it is a danger. */
function sharedWarnings(members: readonly WarnedMember[]): SharedWarnings[] {
  const all = members.flatMap(({ warnings }, index) => warnings.map((warning) => ({ warning, index })));
  const kinds = Map.groupBy(all, ({ warning }) => `${warning.severity} ${warning.code}`);
  return [...kinds.values()].flatMap((kind) => {
    const byText = [...Map.groupBy(kind, ({ warning }) => warning.text).values()];
    const isSummarised = byText.length > maxTexts && kind[0]?.warning.severity !== 'danger';
    return (isSummarised ? [kind] : byText).map((alike) => ({
      warnings: alike.slice(0, 1).map(({ warning }) => warning),
      all: alike.map(({ warning }) => warning),
      memberIndexes: [...new Set(alike.map(({ index }) => index))],
      isExample: isSummarised,
    }));
  });
}

function mergeLines(shared: readonly SharedWarnings[]): SharedWarnings[] {
  const lines = Map.groupBy(
    shared,
    ({ warnings, memberIndexes: about, isExample }) =>
      `${warnings[0]?.severity ?? ''} ${about.join()} ${isExample}`,
  );
  return [...lines.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, warnings: [first, ...others].flatMap(({ warnings }) => warnings) }],
  );
}

function lineOf(line: SharedWarnings, members: readonly WarnedMember[], formats: Formats): Warning[] {
  const [first] = line.warnings;
  if (first === undefined) return [];
  const texts = joinSentences(line.warnings.map(({ text }) => text));
  const subject = subjectOf(line, members, formats);
  return [{ ...first, text: subject === null ? texts : sentence`${ownWords(subject)}: ${ownWords(texts)}` }];
}

/** `Each campaign`, `“DE push – summer” (1042)`, `5 of 12 changes, for example`. Null for a single change. */
function subjectOf(
  { memberIndexes: about, isExample }: SharedWarnings,
  members: readonly WarnedMember[],
  formats: Formats,
): string | null {
  const names = about.map((index) => members[index]?.name ?? null);
  const isNameless = names.includes(null);
  if (members.length === 1 || (names.length === 1 && isNameless)) return null;
  const isAll = about.length === members.length;
  const count = formats.counted(members.length, 'change');
  const counted = isAll ? `All ${count}` : `${formats.count(about.length)} of ${count}`;
  if (isExample) return `${counted}, for example`;
  if (isNameless) return counted;
  if (isAll) return 'Each campaign';
  return names.length <= maxNamed ? names.join(', ') : counted;
}
