import { isStatusCode, type StatusCode, statusNames } from '../../contract/index.ts';
import { fullDateText } from '../../lib/date-text.ts';
import { type JsonValue, own } from '../../lib/json/json-value.ts';
import { exposureInWords, spendingInWords } from '../money.ts';
import {
  spends,
  sumExposure,
  runs,
  type Author,
  groupStatuses,
  serviceDay,
  type StatusGroup,
  suspended,
  type Exposure,
} from '../../campaign/index.ts';
import { quotedStart } from '../../lib/inert-text.ts';
import { bySeverity, type Warning, warningOf } from '../severities.ts';
import type { RiskRule } from './subject.ts';
import type { Formats } from '../../lib/formats.ts';
import { joinSentences, ownWords, type OwnWords, sentence, type Sentence } from '../../lib/sentence.ts';

export interface StatusMove {
  to: StatusCode;
  changing: readonly { cid: number; exposure: { before: Exposure; after: Exposure } }[];
  stayingCount: number;
}

interface StatusAssessment {
  warnings: Warning[];
  typeToConfirm: { label: string; value: string } | null;
  notes: Sentence[];
}

export function assessStatus(move: StatusMove, formats: Formats): StatusAssessment {
  return {
    warnings: [
      ...unlimitedWarnings(move, formats),
      ...manyWarnings(move, formats),
      ...activationNotices(move, formats),
    ].toSorted(bySeverity),
    typeToConfirm: typedValue(move),
    notes: notesOf(move, formats),
  };
}

function unlimitedWarnings(move: StatusMove, formats: Formats): Warning[] {
  const count = countUnlimited(move);
  if (count === 0) return [];
  const text = sentence`${campaigns(count, formats)} can spend without a limit per day after this change.`;
  return [warningOf('exposure_unlimited', text)];
}

/** `several` campaigns at once get a notice, or a danger if they start to spend. `many` get a warning. */
const several = 10;
const many = 25;

function manyWarnings({ to, changing }: StatusMove, formats: Formats): Warning[] {
  const count = changing.length;
  if (count < several) return [];
  const text = sentence`${campaigns(count, formats)} become ${ownWords(statusNames[to])} at once.`;
  if (runs(to)) return [warningOf('bulk_activation', text)];
  return [warningOf(count < many ? 'several_campaigns' : 'many_campaigns', text)];
}

function activationNotices({ to, changing }: StatusMove, formats: Formats): Warning[] {
  if (!runs(to)) return [];
  const exposures = changing.map(({ exposure }) => exposure.after).filter(spends);
  const what =
    `${whichSpend(exposures.length, changing.length, formats)} ${to === 1 ? '' : schedulesWords}`.trimEnd();
  const sum = sumExposure(exposures);
  const together = exposures.length > 1 ? 'together ' : '';
  const text =
    exposures.length === 0
      ? sentence`${campaigns(changing.length, formats)} ${ownWords(changing.length === 1 ? 'has' : 'have')} no hour left in which to spend.`
      : sentence`${ownWords(what)} can spend${ownWords(startWords(exposures))}, ${ownWords(together + exposureInWords(sum, formats))}.`;
  const balance = to === 1 ? [sentence`The account needs at least $1.00 available.`] : [];
  return [warningOf('activates', joinSentences([text, ...balance]))];
}

const schedulesWords = 'will follow the configured start and schedule and';

function whichSpend(spending: number, changing: number, formats: Formats): string {
  const all = formats.counted(changing, 'campaign');
  return spending === changing ? all : `${spending} of ${all}`;
}

function startWords(exposures: readonly Exposure[]): string {
  const immediateCount = exposures.filter(({ startsOn }) => startsOn === null).length;
  const { startsOn } = sumExposure(exposures);
  if (startsOn !== null) return ` from ${fullDateText(startsOn)} on`;
  return immediateCount === exposures.length ? ' immediately' : `, ${immediateCount} of them immediately`;
}

function typedValue(move: StatusMove): StatusAssessment['typeToConfirm'] {
  const [only, second] = move.changing;
  if (countUnlimited(move) === 0) {
    return move.changing.length < several || !runs(move.to)
      ? null
      : { label: 'Type the number of campaigns that change', value: String(move.changing.length) };
  }
  return only !== undefined && second === undefined
    ? { label: 'Spending becomes unlimited. Type the campaign id', value: String(only.cid) }
    : {
        label: 'Spending becomes unlimited. Type the number of campaigns that change',
        value: String(move.changing.length),
      };
}

function notesOf({ to, stayingCount }: StatusMove, formats: Formats): Sentence[] {
  const notes = [sentence`Spend to date: not available.`];
  if (stayingCount === 0) return notes;
  const verb = stayingCount === 1 ? 'is' : 'are';
  return [
    ...notes,
    sentence`${campaigns(stayingCount, formats)} ${ownWords(verb)} ${ownWords(statusNames[to])} already and will not be sent.`,
  ];
}

/**
 * Includes Scheduled campaigns that are set to Active. A daily limit without an end is no danger, because the money per
 * day is shown.
 */
function countUnlimited({ to, changing }: StatusMove): number {
  return changing.filter(
    ({ exposure: { before, after } }) =>
      after.perDay.kind === 'unlimited' && (to === 1 || before.perDay.kind !== 'unlimited'),
  ).length;
}

function campaigns(count: number, formats: Formats): OwnWords {
  return ownWords(formats.counted(count, 'campaign'));
}

export const activationRisk: RiskRule = ({ before, after, exposureAfter }, formats: Formats) => {
  const to = own(after, 'status');
  if (!runs(to) || own(before, 'status') === to) return [];
  const spendingText = ownWords(spendingInWords(exposureAfter, formats));
  const text =
    to === 1
      ? sentence`The campaign becomes active and ${spendingText}.`
      : sentence`The campaign runs by its start and schedule and ${spendingText}.`;
  return [{ code: 'activates', field: 'status', text }];
};

const pending = 0;

/**
 * No member can set Pending again or approve (contract §3), so no member can undo this change. `froms` are the current
 * statuses.
 */
export function pendingWarnings(froms: readonly unknown[], to: unknown, formats: Formats): Warning[] {
  const count = froms.filter((from) => from === pending).length;
  if (count === 0 || (to !== 2 && to !== 3)) return [];
  const campaigns = formats.counted(count, 'Pending campaign becomes', 'Pending campaigns become');
  const name = statusNames[to satisfies StatusCode];
  const text = sentence`${ownWords(campaigns)} ${ownWords(name)}. A member cannot undo this: members can neither set Pending again nor approve.`;
  return [warningOf('leaves_pending', text)];
}

interface StopContext {
  known: readonly StatusGroup[];
  zone: string;
}

export function mixedWarnings(
  changing: readonly { cid: number; status: number }[],
  to: StatusCode,
  known: readonly StatusGroup[],
  formats: Formats,
): Warning[] {
  const named = new Set(known.flatMap(({ cids }) => cids));
  const others = changing.filter(({ cid }) => !named.has(cid)).map((one) => ({ ...one, origin: null }));
  const groups = [...known, ...groupStatuses(others)];
  if (!runs(to) || groups.length < 2) return [];
  const isOneStatus = new Set(groups.map(({ status }) => status)).size === 1;
  const opening = isOneStatus ? 'They were stopped in different ways' : 'They have different statuses now';
  return [
    warningOf(
      'mixed_statuses',
      sentence`${ownWords(opening)}: ${ownWords(groups.map((group) => groupInWords(group, formats)).join('; '))}.`,
    ),
  ];
}

export function suspendedWarnings(
  froms: readonly unknown[],
  to: JsonValue | undefined,
  { known, zone }: StopContext,
  formats: Formats,
): Warning[] {
  const count = froms.filter((from) => from === suspended).length;
  if (count === 0 || !runs(to)) return [];
  const groups = known.filter(({ status }) => status === suspended);
  const isOne = count === 1 && froms.length === 1;
  const how = isOne ? suspensionInWords(groups[0], zone) : suspensionsInWords(count, groups, formats);
  const text = sentence`${ownWords(how)} Activating brings ${ownWords(count === 1 ? 'it' : 'them')} back.`;
  return [warningOf('activates_suspended', text)];
}

export const pendingRisk: RiskRule = ({ before, after }, formats: Formats) =>
  pendingWarnings([own(before, 'status')], own(after, 'status'), formats).map((warning) => ({
    ...warning,
    field: 'status',
  }));

export const suspendedRisk: RiskRule = ({ before, after, today, stoppedAs = [] }, formats: Formats) =>
  suspendedWarnings(
    [own(before, 'status')],
    own(after, 'status'),
    {
      known: stoppedAs,
      zone: today.zone,
    },
    formats,
  ).map((warning) => ({
    ...warning,
    field: 'status',
    figure: {
      label: 'Status',
      before: statusNames[suspended],
      after: own(after, 'status') === 1 ? 'Active' : 'Scheduled',
    },
  }));

/** `3 Paused by you`, `2 Paused, not through this app`, `4 Scheduled`. */
export function groupInWords(group: StatusGroup, formats: Formats): string {
  return `${formats.count(group.cids.length)} ${kindInWords(group)}`;
}

function suspensionInWords(group: StatusGroup | undefined, zone: string): string {
  const name = statusNames[suspended];
  if (group?.origin?.kind === 'elsewhere') {
    return `The campaign is ${name}. It was not suspended through this app.`;
  }
  if (group?.origin?.kind !== 'app') return `The campaign is ${name}: someone removed it.`;
  const { by, lastAtMs } = group.origin;
  return `${capitalisedAuthor(by)} suspended it on ${fullDateText(serviceDay(lastAtMs, zone).date)}.`;
}

/** `3 campaigns are Suspended: 2 by you, 1 not through this app.` */
function suspensionsInWords(count: number, groups: readonly StatusGroup[], formats: Formats): string {
  const campaigns = formats.counted(count, 'campaign is', 'campaigns are');
  const known = groups.filter(({ origin }) => origin?.kind === 'app' || origin?.kind === 'elsewhere');
  const unknownCount = count - known.reduce((sum, { cids }) => sum + cids.length, 0);
  if (unknownCount === count) {
    return `${campaigns} ${statusNames[suspended]}: someone removed ${count === 1 ? 'it' : 'them'}.`;
  }
  const [only, second] = known;
  if (only !== undefined && second === undefined && unknownCount === 0) {
    return `${campaigns} ${statusNames[suspended]}, ${originInWords(only.origin)}.`;
  }
  const parts = known.map(({ origin, cids }) => `${cids.length} ${originInWords(origin)}`);
  if (unknownCount > 0) parts.push(`${unknownCount} by someone unknown`);
  return `${campaigns} ${statusNames[suspended]}: ${parts.join(', ')}.`;
}

function kindInWords({ status, origin }: StatusGroup): string {
  const name = isStatusCode(status) ? statusNames[status] : `with status ${status}`;
  if (origin === null || origin.kind === 'unknown') return name;
  return `${name}${origin.kind === 'elsewhere' ? ',' : ''} ${originInWords(origin)}`;
}

function originInWords(origin: StatusGroup['origin']): string {
  return origin?.kind === 'app' ? `by ${authorInWords(origin.by)}` : 'not through this app';
}

function capitalisedAuthor(author: Author): string {
  const text = authorInWords(author);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const maxNameLength = 80;

function authorInWords({ kind, name }: Author): string {
  return kind === 'person' ? 'you' : `${kind} ${quotedStart(name, maxNameLength)}`;
}
