import {
  type FieldEffect,
  fieldLabel,
  type MoneyRaise,
  raisePerDay,
  riskKindsOf,
  serviceHour,
  type WarningCode,
} from '#shared/campaign/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { formatBid, formatMoney, toDecimal } from '#shared/lib/decimal.ts';
import {
  type ProposedChange,
  isCertain,
  plus,
  type Raise,
  raiseInWords,
  raisePerDayOf,
  raiseUntilEndOf,
  type Rule,
  unknownField,
} from './proposed-change.ts';

/** By the clock on the wall in the profile's zone, so that a night stays a night when the clocks change. */
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

/** Campaigns that no agent may touch. While there is one in its profile, a call passes only if all that it does is known. */
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

/** By the campaigns of a change that is stated. Those that other arguments name may not be all that the call touches. */
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

/** Exactly, by the amounts that the person would see. What makes a bid incomparable does not pass either. */
const maxBidFactor: Rule = (proposed) => {
  const { maxBidFactor: factor } = proposed.guardrails;
  if (factor === null) return null;
  const limit = `One change may raise a bid to ${factor} times the current one at most.`;
  if (!isCertain(proposed.words)) return `${limit} Countersign cannot tell what this call would do to it.`;
  const unknown = unknownField(proposed.words);
  if (unknown !== null) return `${limit} Countersign cannot tell what ${fieldLabel(unknown)} does to it.`;
  for (const effect of proposed.words.effects.changes) {
    const problem = problemOf(effect, factor);
    if (problem !== null) return `${limit} ${problem}`;
  }
  return null;
};

function problemOf(effect: FieldEffect, factor: number): string | null {
  switch (effect.field) {
    case 'payout':
      return bidProblem(effect, factor);
    case 'type':
      return 'With another campaign type the same bid means something else; leave the type as it is.';
    case 'bidControl':
      return 'Countersign cannot tell what bid controls do to it; leave them as they are.';
    default:
      return null;
  }
}

function bidProblem({ measure }: FieldEffect, factor: number): string | null {
  if (measure.kind !== 'money') return incomparable;
  const { before, after } = measure;
  if (before.kind === 'unlimited' || after.kind === 'unlimited') return incomparable;
  const [from, to] = [before.micros, after.micros];
  if (to <= from) return null;
  if (from <= 0n) return `There is no bid to compare ${formatBid(to)} with.`;
  const { digits, exponent } = toDecimal(factor);
  const highest =
    exponent < 0 ? (from * digits) / 10n ** BigInt(-exponent) : from * digits * 10n ** BigInt(exponent);
  if (to <= highest) return null;
  return `${formatBid(from)} → ${formatBid(to)} is more; up to ${formatBid(highest)} is allowed.`;
}

const incomparable = 'Countersign cannot compare these bids.';

const maxRaisePerDay: Rule = ({ guardrails, words }) =>
  refusalOf({ max: guardrails.maxRaisePerDayMicros, span: 'per day', raise: () => raisePerDayOf(words) });

const maxRaiseUntilEnd: Rule = ({ guardrails, words }) =>
  refusalOf({
    max: guardrails.maxRaiseUntilEndMicros,
    span: 'until the end',
    raise: () => raiseUntilEndOf(words),
  });

interface Limit {
  max: ProposedChange['guardrails']['maxRaisePerDayMicros'];
  span: string;
  raise(): Raise;
}

function refusalOf({ max, span, raise }: Limit): string | null {
  if (max === null) return null;
  const by = raise();
  if (typeof by === 'bigint' && by <= BigInt(max)) return null;
  return `One change may raise the money at risk ${span} by ${formatMoney(BigInt(max))} at most. ${raiseInWords(by)}`;
}

const msPerMinute = 60_000;

/**
 * Counts what the agent has proposed, with any outcome. A successor that Countersign proposes on a new state does
 * not count.
 */
const pace: Rule = ({ guardrails, agentId, draft, history, nowMs }) => {
  if (guardrails.pace === null || draft.rebase !== null) return null;
  const { changes, minutes } = guardrails.pace;
  const window = minutes * msPerMinute;
  const proposedAt = history.proposedAtOfAgent(agentId, nowMs - window);
  // The oldest of those that fill the window; once it is outside, there is room for one.
  const oldest = proposedAt[changes - 1];
  if (oldest === undefined) return null;
  const wait = Math.max(1, Math.ceil((oldest + window - nowMs) / msPerMinute));
  const limit = `One agent may propose ${counted(changes, 'change')} in ${counted(minutes, 'minute')} at most.`;
  return `${limit} The next one is allowed in ${counted(wait, 'minute')}.`;
};

const msPerHour = 3_600_000;

/**
 * Counts what was approved in the window and what is undecided: all of it may be approved. A change that raises
 * nothing always passes. A successor on a new state counts in place of the one before.
 */
const spendPace: Rule = (proposed) => {
  const { guardrails, words } = proposed;
  if (guardrails.spendPace === null) return null;
  const raise = raisePerDayOf(words);
  if (raise === 0n) return null;
  const { micros, hours } = guardrails.spendPace;
  const max = BigInt(micros);
  const taken = takenOf(proposed, hours);
  if (typeof raise === 'bigint' && taken !== 'unlimited' && taken + raise <= max) return null;
  return [
    `The changes of one agent may raise the money at risk per day by ${formatMoney(max)} in ${hours} ${hours === 1 ? 'hour' : 'hours'} at most.`,
    raiseInWords(raise),
    roomInWords(max, taken),
  ].join(' ');
};

const limitLost: WarningCode = 'exposure_unlimited';

/** A sum that was unlimited already hides a campaign that lost its limit, which the warnings name, and what a call does beside it. */
function mayHideRaise(warningCodes: readonly string[] | null): boolean {
  if (warningCodes === null || warningCodes.includes(limitLost)) return true;
  return riskKindsOf(warningCodes).includes('tools');
}

function takenOf({ history, agentId, draft, nowMs }: ProposedChange, hours: number): MoneyRaise {
  const earlier = history.raisesOfAgent(agentId, nowMs - hours * msPerHour, draft.rebase?.of ?? null);
  return plus(
    earlier.map(({ perDay, targetCount, warningCodes }) => {
      const isSumUnlimited = perDay.before.unlimited && perDay.after.unlimited && targetCount > 1;
      return isSumUnlimited && mayHideRaise(warningCodes) ? 'unlimited' : raisePerDay(perDay);
    }),
  );
}

function roomInWords(max: bigint, taken: MoneyRaise): string {
  if (taken === 'unlimited')
    return 'An earlier one made it unlimited already: only changes that raise nothing are allowed.';
  const room = max - taken;
  if (room <= 0n) return 'Earlier ones have used it up: only changes that raise nothing are allowed.';
  return `A raise of up to ${formatMoney(room)} is allowed.`;
}

type NamedRule = { name: string; refusal: Rule };

/** The rules on a single change, in the order in which they are checked. */
export const rulesOfOneChange: readonly NamedRule[] = [
  { name: 'quietHours', refusal: quietHours },
  { name: 'untouchable', refusal: untouchable },
  { name: 'maxCampaigns', refusal: maxCampaigns },
  { name: 'maxBidFactor', refusal: maxBidFactor },
  { name: 'maxRaisePerDay', refusal: maxRaisePerDay },
  { name: 'maxRaiseUntilEnd', refusal: maxRaiseUntilEnd },
];

/** Every guardrail: how much one agent may propose in a window of time comes last. */
export const rules: readonly NamedRule[] = [
  ...rulesOfOneChange,
  { name: 'pace', refusal: pace },
  { name: 'spendPace', refusal: spendPace },
];
