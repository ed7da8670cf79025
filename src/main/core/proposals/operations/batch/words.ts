import type { StoredProposal } from '#core/store/app/index.ts';
import {
  type CallEffect,
  callEffects,
  type ProposalDetail,
  type ProposalView,
} from '#shared/app-api/index.ts';
import {
  type FactsOfCampaign,
  raisePerDay,
  raiseUntilEnd,
  sumPairs,
  type Warning,
  warningOf,
} from '#shared/campaign/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { countsOf, type ProposalWords } from '../operation.ts';
import type { BatchPayload } from './payload.ts';
import { commonOperand } from './common-operand.ts';
import { outcomeView } from '../outcome.ts';
import type { Formats } from '#shared/lib/formats.ts';

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
  const risk = riskOf(meant, formats);
  return {
    title: `${equally}: ${formats.counted(meant.length, 'change')}`,
    targets,
    risk,
    warnings: batchWarnings(
      all.map(({ warnings }) => warnings),
      targets.length,
      formats,
    ),
    typeToConfirm: typedValue(meant.length, all),
    changes: [],
    unchanged: [],
    detail: {
      kind: 'batch',
      equally,
      members: members.map(memberView),
      skipped,
      askedBy: askersOf(members.map(({ stored }) => stored)),
    },
    effects: {
      certainty: leastCertain(all),
      changes: all.flatMap(({ effects }) => effects.changes),
    },
    facts: distinctFacts(all),
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
function riskOf(members: readonly WordedMember[], formats: Formats): ProposalView['risk'] {
  const risks = members.map(({ words }) => words.risk);
  const changing = members.flatMap(changingTargets);
  // A call of which no campaign is known has figures and no campaigns.
  const parts = members.flatMap((member): FigurePairs[] => {
    const targets = changingTargets(member);
    return targets.length === 0 ? [member.words.risk] : targets;
  });
  const perDay = sumPairs(
    parts.map((part) => part.perDay),
    formats,
  );
  const untilEnd = sumPairs(
    parts.map((part) => part.untilEnd),
    formats,
  );
  const campaignCount = new Set(changing.map(({ cid }) => cid)).size;
  return {
    perDay: perDay.pair,
    untilEnd: untilEnd.pair,
    ...countsOf({ perDay, untilEnd, campaignCount }),
    bidFactor: common(risks.map(({ bidFactor }) => bidFactor)),
    notes: [...limitlessNotes(risks, formats), ...new Set(risks.flatMap(({ notes }) => notes))],
  };
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

/** One change that becomes unlimited hides the sum of all the others: how many there are is said. */
function limitlessNotes(risks: readonly ProposalView['risk'][], formats: Formats): string[] {
  const count = risks.filter(({ perDay: { before, after } }) => after.unlimited && !before.unlimited).length;
  const verb = count === 1 ? 'has' : 'have';
  return count === 0 || count === risks.length
    ? []
    : [`${count} of ${formats.counted(risks.length, 'change')} ${verb} no limit per day.`];
}

/** The host where that is what changes; else the number, for many changes, a member that raises money, or one that asks for it: then a slip of the hand must not be enough. */
function typedValue(count: number, all: readonly ProposalWords[]): ProposalView['typeToConfirm'] {
  const host = commonHost(all);
  if (host !== null) return host;
  const asks = all.some(({ typeToConfirm }) => typeToConfirm !== null);
  const raises = all.some(({ targets, risk }) => [risk, ...targets].some(isRaised));
  if (count <= maxUntyped && !asks && !raises) return null;
  return { label: 'Type the number of changes to confirm', value: String(count) };
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

function memberView({
  stored,
  words,
}: WordedMember): Extract<ProposalDetail, { kind: 'batch' }>['members'][number] {
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

/** Each campaign once, from before the first member that touches it to after the last one. */
function distinctFacts(all: readonly ProposalWords[]): ProposalWords['facts'] {
  const byCid = new Map<number, FactsOfCampaign>();
  for (const facts of all.flatMap((words) => words.facts)) {
    byCid.set(facts.cid, { ...facts, before: byCid.get(facts.cid)?.before ?? facts.before });
  }
  return [...byCid.values()];
}

function common(values: readonly (string | null)[]): string | null {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}

/** From so many campaigns on, their number is worth a warning of its own. */
const manyCampaigns = 10;

/** Maximum number of different texts listed for one warning; beyond it only the first is listed, with the count. */
const maxTexts = 3;

/** The warnings of all members, each text once, with how many changes it is about. A danger is never counted away. */
export function batchWarnings(
  members: readonly (readonly Warning[])[],
  campaignCount: number,
  formats: Formats,
): Warning[] {
  const all = members.flat();
  const kinds = new Map(all.map(({ code, severity }) => [`${severity} ${code}`, { code, severity }]));
  const united = [...kinds.values()].flatMap((kind) =>
    ofKind(
      all.filter(({ code, severity }) => code === kind.code && severity === kind.severity),
      members.length,
      formats,
    ),
  );
  if (campaignCount < manyCampaigns) return united;
  const text = `${formats.counted(campaignCount, 'campaign')} change at once.`;
  return [warningOf('many_campaigns', text), ...united];
}

function ofKind(warnings: readonly Warning[], memberCount: number, formats: Formats): Warning[] {
  const texts = new Map<string, Warning[]>();
  for (const warning of warnings) texts.set(warning.text, [...(texts.get(warning.text) ?? []), warning]);
  const groups = [...texts.values()];
  if (groups.length > maxTexts && warnings[0]?.severity !== 'danger')
    return [saidOnce(warnings, memberCount, formats)].flat();
  return groups.flatMap((alike) => saidOnce(alike, memberCount, formats));
}

/** One warning for all that are alike, with how many changes it is about. */
function saidOnce(alike: readonly Warning[], memberCount: number, formats: Formats): Warning[] {
  const [first] = alike;
  if (first === undefined) return [];
  if (memberCount === 1) return [first];
  const texts = new Set(alike.map(({ text }) => text)).size;
  const about =
    alike.length === memberCount
      ? `All ${formats.counted(memberCount, 'change')}`
      : `${alike.length} of ${formats.counted(memberCount, 'change')}`;
  return [{ ...first, text: `${about}${texts > 1 ? ', for example' : ''}: ${first.text}` }];
}
