import type { StoredProposal } from '#core/store/app/index.ts';
import {
  type CallEffect,
  callEffects,
  type ProposalDetail,
  type ProposalView,
} from '#shared/app-api/index.ts';
import { bySeverity, type Warning, warningOf } from '#shared/wording/index.ts';
import { type FactsOfCampaign, raisePerDay, raiseUntilEnd } from '#shared/campaign/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { jsonEqual } from '#shared/lib/json/json-value.ts';
import { moneyOf, type ProposalWords } from '../operation.ts';
import type { BatchPayload } from './prepare.ts';
import { commonOperand } from './common-operand.ts';
import { outcomeView } from '../outcome.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { joinSentences, ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/** A member with the words that a person would read of it alone. */
export interface WordedMember {
  stored: StoredProposal;
  words: ProposalWords;
}

/** From more changes than this on, a person types their number. */
const maxUntyped = 20;

/**
 * A batch for people: the sum of what its members risk, and every one of them. Before the decision only those count that it would send: one
 * that was withdrawn, has expired or was decided by itself stays in the list alone.
 */
export function batchWords(
  { equally, skipped, isOpen }: BatchPayload & { isOpen: boolean },
  members: readonly WordedMember[],
  formats: Formats,
): ProposalWords {
  const meant = isOpen ? members.filter(({ stored }) => isUndecided(stored.state)) : members;
  const all = meant.map(({ words }) => words);
  const targets = distinctTargets(meant);
  const named = meant.map(({ words }) => ({ warnings: words.warnings, name: nameOf(words) }));
  const warnings = batchWarnings(named, targets.length, formats);
  const notes = sharedNotes(all);
  const remarks = new Map(
    meant.map(({ stored, words }, index) => [
      stored.id,
      [
        ...(warnings.rows[index] ?? []),
        ...words.risk.notes
          .filter((note) => !notes.includes(note))
          .map((text) => ({ severity: 'notice' as const, text })),
      ],
    ]),
  );
  return {
    title: sentence`${ownWords(equally)}: ${ownWords(formats.counted(meant.length, 'change'))}`,
    targets,
    risk: { ...riskOf(meant, formats), notes },
    warnings: warnings.lines,
    typeToConfirm: typedValue(meant),
    changes: [],
    unchanged: [],
    detail: {
      kind: 'batch',
      equally,
      members: members.map((member) => memberView(member, remarks.get(member.stored.id) ?? [])),
      skipped,
      askedBy: askersOf(members.map(({ stored }) => stored)),
    },
    effects: {
      certainty: leastCertain(all),
      changes: all.flatMap(({ effects }) => effects.changes),
    },
    facts: factsOfAll(meant),
    comparable: null,
    operand: commonOperand(all.map(({ comparable }) => comparable)),
  };
}

/** The certainty of the member of which least is known. */
function leastCertain(all: readonly ProposalWords[]): CallEffect {
  return (
    callEffects.findLast((certainty) => all.some(({ effects }) => effects.certainty === certainty)) ??
    'stated'
  );
}

/** The sums are over the campaigns that change: an unlimited one among them hides no raise of another. */
function riskOf(members: readonly WordedMember[], formats: Formats): Omit<ProposalView['risk'], 'notes'> {
  const risks = members.map(({ words }) => words.risk);
  const changing = members.flatMap(changingTargets);
  // A call of which no campaign is known has figures and no campaigns.
  const parts = members.flatMap((member): FigurePairs[] => {
    const targets = changingTargets(member);
    return targets.length === 0 ? [member.words.risk] : targets;
  });
  const campaignCount = campaignsIn(changing);
  const headline = headlineOf(members);
  return {
    ...moneyOf(parts, campaignCount, formats),
    bidFactor: common(risks.map(({ bidFactor }) => bidFactor)),
    ...(headline !== undefined && { headline }),
  };
}

function campaignsIn(targets: ProposalView['targets']): number {
  return new Set(targets.map(({ cid }) => cid)).size;
}

/** The figure of the heaviest change: of all if they share it; of one it names its campaign, where there is something to warn of. */
function headlineOf(members: readonly WordedMember[]): ProposalView['risk']['headline'] {
  const heaviest = members
    .filter(({ words }) => words.warnings.length > 0 || words.risk.headline !== undefined)
    .toSorted((one, other) => byFirstWarning(one, other))[0]?.words;
  const figure = heaviest?.risk.headline;
  if (heaviest === undefined || figure === undefined) return undefined;
  if (members.every(({ words }) => jsonEqual({ ...words.risk.headline }, { ...figure }))) return figure;
  return figure.isQuiet === true
    ? undefined
    : { ...figure, label: `${figure.label} of ${nameOf(heaviest) ?? ''}` };
}

/** The heavier first warning first; a change without one comes last. */
function byFirstWarning({ words: one }: WordedMember, { words: other }: WordedMember): number {
  const [first, second] = [one.warnings[0], other.warnings[0]];
  if (first === undefined || second === undefined)
    return Number(first === undefined) - Number(second === undefined);
  return bySeverity(first, second);
}

/** Notes that are true of every member. */
function sharedNotes(all: readonly ProposalWords[]): Sentence[] {
  const [first, ...others] = all.map(({ risk }) => risk.notes);
  return (first ?? []).filter((note) => others.every((notes) => notes.includes(note)));
}

/** So much of a name stands in a warning, in code points. */
const maxNameLength = 60;

/** The only campaign of a change: `“DE push – summer” (1042)`. Null for a change of several, whose words count them. */
function nameOf({ targets }: ProposalWords): string | null {
  const [only, second] = targets;
  return only === undefined || second !== undefined
    ? null
    : `${quotedStart(only.name, maxNameLength)} (${only.cid})`;
}

type FigurePairs = Pick<ProposalView['risk'], 'perDay' | 'untilEnd'>;

/** Returns the campaigns of a member that change; a change of status lists the others as well. */
function changingTargets({ stored, words }: WordedMember): ProposalView['targets'] {
  const { detail } = words;
  const isStatus =
    detail.kind === 'tool' ? detail.known === 'status' : stored.operation === 'campaign.status';
  return isStatus
    ? words.targets.filter(({ statusBefore, statusAfter }) => statusBefore !== statusAfter)
    : words.targets;
}

/** The host where that is what changes; else the number of campaigns, or of changes where a campaign is unknown: for many changes, a member that raises money, or one that asks for it: then a slip of the hand must not be enough. */
function typedValue(members: readonly WordedMember[]): ProposalView['typeToConfirm'] {
  const all = members.map(({ words }) => words);
  const host = commonHost(all);
  if (host !== null) return host;
  const asks = all.some(({ typeToConfirm }) => typeToConfirm !== null);
  const raises = all.some(({ targets, risk }) => [risk, ...targets].some(isRaised));
  if (members.length <= maxUntyped && !asks && !raises) return null;
  const changing = members.map(changingTargets);
  return changing.some(({ length }) => length === 0)
    ? { label: 'Type the number of changes to confirm', value: String(members.length) }
    : { label: 'Type the number of campaigns to confirm', value: String(campaignsIn(changing.flat())) };
}

/** The host that every member asks for: it is typed once. Null where a member asks for anything else. */
function commonHost(all: readonly ProposalWords[]): ProposalView['typeToConfirm'] {
  const operand = commonOperand(all.map(({ comparable }) => comparable));
  const asked = all[0]?.typeToConfirm ?? null;
  return asked !== null && operand?.some(({ by }) => by === 'host') ? asked : null;
}

/** Money that one campaign gives up makes no room for another one. */
function isRaised(figures: FigurePairs): boolean {
  return raisePerDay(figures.perDay) !== 0n || raiseUntilEnd(figures) !== 0n;
}

type MemberView = Extract<ProposalDetail, { kind: 'batch' }>['members'][number];

function memberView({ stored, words }: WordedMember, remarks: MemberView['remarks']): MemberView {
  const { id, fingerprint, state, outcome, headline, quotation } = stored;
  const { targets, changes, risk } = words;
  const { perDay } = risk;
  return {
    id,
    fingerprint,
    title: headline.title,
    state,
    targets,
    changes,
    quotation,
    perDay,
    remarks,
    outcome: outcomeView(outcome),
  };
}

/** Proposers of the members, each once, in the order of the list. */
export function askersOf(
  members: readonly Pick<StoredProposal, 'proposedBy'>[],
): Extract<ProposalDetail, { kind: 'batch' }>['askedBy'] {
  const who = members.map(({ proposedBy }) => proposedBy);
  return [...new Map(who.map(({ kind, name, agentId }) => [agentId ?? kind, { kind, name }])).values()];
}

/** Each campaign once, as the last member that touches it leaves it. */
function distinctTargets(members: readonly WordedMember[]): ProposalView['targets'] {
  const targets = members.flatMap(({ words }) => words.targets);
  return [...new Map(targets.map((target) => [target.cid, target])).values()];
}

/** Each campaign once, from before the first member that touches it to after the last one. None unless all are known. */
function factsOfAll(members: readonly WordedMember[]): ProposalWords['facts'] {
  const byCid = new Map<number, FactsOfCampaign>();
  for (const facts of members.flatMap(({ words }) => words.facts)) {
    byCid.set(facts.cid, { ...facts, before: byCid.get(facts.cid)?.before ?? facts.before });
  }
  const areKnown = members.every((member) => {
    const targets = changingTargets(member);
    return targets.length > 0 && targets.every(({ cid }) => byCid.has(cid));
  });
  return areKnown ? [...byCid.values()] : [];
}

function common(values: readonly (string | null)[]): string | null {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}

/** From so many campaigns on, their number is worth a warning of its own. */
const manyCampaigns = 10;

/** Maximum number of different texts listed for one warning; beyond it only the first is listed. */
const maxTexts = 3;

/** So many changes are named in a warning that is about them; more are counted, and each of them has it in its row. */
const maxNamed = 3;

/** The warnings of one member. `name` is null for a change of several campaigns, whose words count them. */
interface WarnedMember {
  warnings: readonly Warning[];
  name: string | null;
}

/** Warnings with the members that they are about. */
interface SharedWarnings {
  /** Those that a line says. */
  warnings: readonly Warning[];
  /** Those that it says or stands for. */
  all: readonly Warning[];
  about: readonly number[];
  /** The one that is listed stands for others of its kind. */
  isExample: boolean;
}

/**
 * The warnings of all members. Those about the same members are one line for each severity; a danger is never counted away. `rows` has,
 * for each member, what no line names it for.
 */
export function batchWarnings(
  members: readonly WarnedMember[],
  campaignCount: number,
  formats: Formats,
): { lines: Warning[]; rows: Warning[][] } {
  const shared = sharedWarnings(members);
  const isAbove = ({ about, warnings: [first] }: SharedWarnings): boolean =>
    about.length === members.length || first?.severity !== 'notice';
  const isNamed = ({ about }: SharedWarnings): boolean =>
    about.length === members.length || about.length <= maxNamed;
  const isSaid = new Set(
    shared.filter((one) => isAbove(one) && isNamed(one)).flatMap(({ all }) => all.map(keyOf)),
  );
  const text = sentence`${ownWords(formats.counted(campaignCount, 'campaign'))} change at once.`;
  return {
    lines: [
      ...(campaignCount < manyCampaigns ? [] : [warningOf('many_campaigns', text)]),
      ...inLines(shared.filter(isAbove)).flatMap((line) => lineOf(line, members, formats)),
    ],
    rows: members.map(({ warnings }) => warnings.filter((warning) => !isSaid.has(keyOf(warning)))),
  };
}

function keyOf({ severity, code, text }: Warning): string {
  return `${severity} ${code} ${text}`;
}

/** Each text once, with the members that have it. Of a kind with many texts the first stands for all, unless it is a danger. */
function sharedWarnings(members: readonly WarnedMember[]): SharedWarnings[] {
  const all = members.flatMap(({ warnings }, index) => warnings.map((warning) => ({ warning, index })));
  const kinds = Map.groupBy(all, ({ warning }) => `${warning.severity} ${warning.code}`);
  return [...kinds.values()].flatMap((kind) => {
    const byText = [...Map.groupBy(kind, ({ warning }) => warning.text).values()];
    const isCounted = byText.length > maxTexts && kind[0]?.warning.severity !== 'danger';
    return (isCounted ? [kind] : byText).map((alike) => ({
      warnings: alike.slice(0, 1).map(({ warning }) => warning),
      all: alike.map(({ warning }) => warning),
      about: [...new Set(alike.map(({ index }) => index))],
      isExample: isCounted,
    }));
  });
}

/** Warnings of one severity about the same members are one line. */
function inLines(shared: readonly SharedWarnings[]): SharedWarnings[] {
  const lines = Map.groupBy(
    shared,
    ({ warnings, about, isExample }) => `${warnings[0]?.severity ?? ''} ${about.join()} ${isExample}`,
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
  const who = whoOf(line, members, formats);
  return [{ ...first, text: who === null ? texts : sentence`${ownWords(who)}: ${ownWords(texts)}` }];
}

/** `Each campaign`, `“DE push – summer” (1042)`, `5 of 12 changes, for example`; null for one change, or one of several campaigns. */
function whoOf(
  { about, isExample }: SharedWarnings,
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
