import type { Guarded, ProposalWords } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { Guardrails } from '#shared/app-api/index.ts';
import {
  type FieldEffect,
  fieldWords,
  type MoneyRaise,
  raiseOf,
  raisePerDay,
  raiseUntilEnd,
  serviceHour,
} from '#shared/campaign/index.ts';
import { toDecimal } from '#shared/lib/decimal.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

export interface ProposedChange extends Guarded {
  agentId: string;
  guardrails: Guardrails;
  history: Pick<AppStore['proposals'], 'proposedAtOfAgent' | 'raisesOfAgent'>;
  nowMs: number;
}

/** The reason of a refusal, with the limit and what would pass; null if the change passes. */
type Rule = (proposed: ProposedChange, formats: Formats) => string | null;

function unknownField({ effects }: ProposalWords): string | null {
  return effects.changes.find(({ isKnown }) => !isKnown)?.field ?? null;
}

/**
 * False if the effect of a call is only assumed from its arguments. A rule must never treat such an effect as harmless, because
 * the tool may do something else.
 */
function isCertain({ effects }: ProposalWords): boolean {
  return effects.certainty === 'stated';
}

/** The raise of the money at risk in micros, at least 0; `unknown` if it cannot be computed. */
type Raise = MoneyRaise | 'unknown';

type Figures = Pick<ProposalWords['risk'], 'perDay' | 'untilEnd'>;

const raisePerDayOf = (words: ProposalWords): Raise => totalRaise(words, ({ perDay }) => raisePerDay(perDay));

/**
 * Adds the raises of all campaigns, so that a cut in one campaign does not offset a raise in another. Unknown if the change
 * contains a field that the contract does not define, because such a field may raise a budget.
 */
function totalRaise(words: ProposalWords, raiseOf: (figures: Figures) => MoneyRaise): Raise {
  if (!isCertain(words) || unknownField(words) !== null) return 'unknown';
  return words.targets.length === 0 ? raiseOf(words.risk) : plus(words.targets.map(raiseOf));
}

function plus(raises: readonly MoneyRaise[]): MoneyRaise {
  let sum = 0n;
  for (const raise of raises) {
    if (raise === 'unlimited') return 'unlimited';
    sum += raise;
  }
  return sum;
}

function raiseInWords(raise: Raise, formats: Formats): string {
  if (raise === 'unknown') return 'Countersign cannot tell what this call would do to it.';
  return raise === 'unlimited'
    ? 'This one makes it unlimited.'
    : `This one raises it by ${formats.money(raise)}.`;
}

/** By wall-clock time in the profile's zone, so that a night stays a night when daylight saving time changes. */
const quietHours: Rule = ({ guardrails, proposer: { profile }, nowMs }) => {
  if (guardrails.quietHours === null) return null;
  const { fromHour, untilHour } = guardrails.quietHours;
  if (fromHour === untilHour) return 'No agent may change anything, at any hour.';
  const hour = serviceHour(nowMs, profile.zone);
  const isQuiet =
    fromHour < untilHour ? hour >= fromHour && hour < untilHour : hour >= fromHour || hour < untilHour;
  if (!isQuiet) return null;
  const [from, until] = [clockText(fromHour), clockText(untilHour)];
  return `No agent may change anything from ${from} until ${until} (${profile.zone}). Try again from ${until}.`;
};

function clockText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** If any campaign of the profile is protected, a call passes only if its complete effect is known. */
const untouchable: Rule = (proposed) => {
  const { guardrails, draft } = proposed;
  const protectedIds = guardrails.untouchable;
  if (protectedIds.length === 0) return null;
  if (!isCertain(proposed.words)) return unknownTargets;
  const touched = protectedIds.filter((cid) => draft.targets.includes(cid));
  if (touched.length === 0) return null;
  const names = touched.length === 1 ? 'Campaign' : 'Campaigns';
  const rest = draft.targets.length > touched.length ? ' The others are allowed without it.' : '';
  return `${names} ${touched.join(', ')} must not be touched by any agent.${rest}`;
};

const unknownTargets =
  'Some campaigns must not be touched by any agent, and Countersign cannot tell which ones this call touches. ' +
  'A prepared change to other campaigns is allowed if its commit has no other arguments.';

/** Counts only for a call with a known effect: any other call may change more campaigns than it names. */
const maxCampaigns: Rule = (proposed) => {
  const { maxCampaigns: max } = proposed.guardrails;
  if (max === null) return null;
  const limit = `One change may touch ${max} ${max === 1 ? 'campaign' : 'campaigns'} at most.`;
  if (!isCertain(proposed.words)) {
    return `${limit} Countersign cannot tell how many this call touches. A prepared change is allowed if its commit has no other arguments.`;
  }
  const count = proposed.draft.targets.length;
  return count <= max ? null : `${limit} This one touches ${count}; split it into smaller ones.`;
};

/** Computed exactly. A bid that cannot be compared is refused, too. */
const maxBidFactor: Rule = (proposed, formats) => {
  const { maxBidFactor: factor } = proposed.guardrails;
  if (factor === null) return null;
  const limit = `One change may raise a bid to ${factor} times the current one at most.`;
  if (!isCertain(proposed.words)) return `${limit} Countersign cannot tell what this call would do to it.`;
  const unknown = unknownField(proposed.words);
  if (unknown !== null)
    return sentence`${ownWords(limit)} Countersign cannot tell what ${fieldWords(unknown)} does to it.`;
  for (const effect of proposed.words.effects.changes) {
    const problem = problemOf(effect, factor, formats);
    if (problem !== null) return `${limit} ${problem}`;
  }
  return null;
};

function problemOf(effect: FieldEffect, factor: number, formats: Formats): string | null {
  switch (effect.field) {
    case 'payout':
      return bidProblem(effect, factor, formats);
    case 'type':
      return 'With another campaign type the same bid means something else; leave the type as it is.';
    case 'bidControl':
      return 'Countersign cannot tell what bid controls do to it; leave them as they are.';
    default:
      return null;
  }
}

function bidProblem({ measure }: FieldEffect, factor: number, formats: Formats): string | null {
  if (measure.kind !== 'money') return incomparable;
  const { before, after } = measure;
  if (before.kind === 'unlimited' || after.kind === 'unlimited') return incomparable;
  const [from, to] = [before.micros, after.micros];
  if (to <= from) return null;
  if (from <= 0n) return `There is no bid to compare ${formats.bid(to)} with.`;
  const { digits, exponent } = toDecimal(factor);
  const highest =
    exponent < 0 ? (from * digits) / 10n ** BigInt(-exponent) : from * digits * 10n ** BigInt(exponent);
  if (to <= highest) return null;
  return `${formats.bid(from)} → ${formats.bid(to)} is more; up to ${formats.bid(highest)} is allowed.`;
}

const incomparable = 'Countersign cannot compare these bids.';

const maxRaisePerDay: Rule = ({ guardrails, words }, formats) =>
  raiseProblem(guardrails.maxRaisePerDayMicros, 'per day', raisePerDayOf(words), formats);

const maxRaiseUntilEnd: Rule = ({ guardrails, words }, formats) =>
  raiseProblem(guardrails.maxRaiseUntilEndMicros, 'until the end', totalRaise(words, raiseUntilEnd), formats);

function raiseProblem(max: string | null, span: string, raise: Raise, formats: Formats): string | null {
  if (max === null || (typeof raise === 'bigint' && raise <= BigInt(max))) return null;
  return `One change may raise the money at risk ${span} by ${formats.money(BigInt(max))} at most. ${raiseInWords(raise, formats)}`;
}

const msPerMinute = 60_000;

/** Counts the agent's proposals with any outcome. Successors on a new state are skipped, because Countersign proposes them. */
const pace: Rule = ({ guardrails, agentId, draft, history, nowMs }, formats) => {
  if (guardrails.pace === null || draft.rebase !== null) return null;
  const { changes, minutes } = guardrails.pace;
  const window = minutes * msPerMinute;
  const proposedAt = history.proposedAtOfAgent(agentId, nowMs - window);
  const oldest = proposedAt[changes - 1];
  if (oldest === undefined) return null;
  const wait = Math.max(1, Math.ceil((oldest + window - nowMs) / msPerMinute));
  const limit = `One agent may propose ${formats.counted(changes, 'change')} in ${formats.counted(minutes, 'minute')} at most.`;
  return `${limit} The next one is allowed in ${formats.counted(wait, 'minute')}.`;
};

const msPerHour = 3_600_000;

/** Counts approved and undecided raises in the window, because all of them may be approved. A successor replaces its predecessor. */
const spendPace: Rule = (proposed, formats) => {
  const { guardrails, words } = proposed;
  if (guardrails.spendPace === null) return null;
  const raise = raisePerDayOf(words);
  if (raise === 0n) return null;
  const { micros, hours } = guardrails.spendPace;
  const max = BigInt(micros);
  const taken = takenOf(proposed, hours);
  if (typeof raise === 'bigint' && taken !== 'unlimited' && taken + raise <= max) return null;
  return [
    `The changes of one agent may raise the money at risk per day by ${formats.money(max)} in ${hours} ${hours === 1 ? 'hour' : 'hours'} at most.`,
    raiseInWords(raise, formats),
    roomInWords(max, taken, formats),
  ].join(' ');
};

function takenOf({ history, agentId, draft, nowMs }: ProposedChange, hours: number): MoneyRaise {
  return plus(
    history.raisesOfAgent(agentId, nowMs - hours * msPerHour, draft.rebase?.of ?? null).map(raiseOf),
  );
}

function roomInWords(max: bigint, taken: MoneyRaise, formats: Formats): string {
  if (taken === 'unlimited')
    return 'An earlier one made it unlimited already: only changes that raise nothing are allowed.';
  const room = max - taken;
  if (room <= 0n) return 'Earlier ones have used it up: only changes that raise nothing are allowed.';
  return `A raise of up to ${formats.money(room)} is allowed.`;
}

type Rules = Readonly<Record<string, Rule>>;

export const rulesOfOneChange: Rules = {
  quietHours,
  untouchable,
  maxCampaigns,
  maxBidFactor,
  maxRaisePerDay,
  maxRaiseUntilEnd,
};

/** The limits on an agent's pace come last. */
export const rules: Rules = { ...rulesOfOneChange, pace, spendPace };
