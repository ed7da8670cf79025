import type { ProposalDetail, ProposalView, LedgerEntry, LedgerReport } from '#shared/app-api/index.ts';
import type { ChangeView, FieldVerdict } from '#shared/campaign/index.ts';
import {
  endingForPerson,
  conflictWords,
  perDayText as pairText,
  stateWords,
  verdictWords,
} from '#shared/wording/index.ts';
import { isStatusCode, statusNames } from '#shared/contract/index.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import { isUndecided, isDoneBatch } from '#shared/proposals/states.ts';
import type { Style } from './style.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

/** One change: `Δ Bid  $0.045 → $0.054  +0.009  ×1.2`, followed by added and removed list entries, or by hours. */
export function changeText(change: ChangeView, style: Style): string[] {
  const { label, before, after, delta, factor, added, removed, schedule } = change;
  const sizes = [delta, factor].filter((size) => size !== null).map((size) => `  ${size}`);
  return [
    `Δ ${inertText(label)}  ${inertText(before)} → ${style.strong(inertText(after))}${sizes.join('')}`,
    ...removed.map((member) => `    − ${inertText(member)}`),
    ...added.map((member) => `    + ${inertText(member)}`),
    ...(schedule === null ? [] : hoursText(schedule).map((line) => `    ${line}`)),
  ];
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const hoursPerDay = 24;

/** Changed hours of the week by day: `− Mon 09:00–12:00, 18:00–24:00` for removed hours, then added hours in the same form. */
function hoursText({ before, after }: NonNullable<ChangeView['schedule']>): string[] {
  const isRemoved = (hour: number): boolean => before[hour] === 1 && after[hour] !== 1;
  const isAdded = (hour: number): boolean => before[hour] !== 1 && after[hour] === 1;
  return [...byDay('−', isRemoved), ...byDay('+', isAdded)];
}

function byDay(sign: string, isChanged: (hour: number) => boolean): string[] {
  return days.flatMap((day, index) => {
    const spans = spansOf((hour) => isChanged(index * hoursPerDay + hour));
    return spans.length === 0 ? [] : [`${sign} ${day} ${spans.join(', ')}`];
  });
}

function spansOf(isChanged: (hour: number) => boolean): string[] {
  const spans: string[] = [];
  let from: number | null = null;
  for (let hour = 0; hour <= hoursPerDay; hour += 1) {
    const isIn = hour < hoursPerDay && isChanged(hour);
    if (isIn) from ??= hour;
    else if (from !== null) {
      spans.push(`${clock(from)}–${clock(hour)}`);
      from = null;
    }
  }
  return spans;
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

type Target = ProposalView['targets'][number];

/** One of several campaigns: `“DE push” (7)  Paused → Active  $0.00 → $50.00 per day`. */
function targetText({ cid, name, statusBefore, statusAfter, perDay }: Target): string {
  const status =
    statusBefore === statusAfter
      ? `stays ${statusText(statusBefore)}`
      : `${statusText(statusBefore)} → ${statusText(statusAfter)}`;
  return `${quoted(name)} (${cid})  ${status}  ${perDayText(perDay)}`;
}

function perDayText(pair: Target['perDay']): string {
  return inertText(pairText(pair, new Date().getFullYear()));
}

export function statusText(status: number): string {
  return isStatusCode(status) ? statusNames[status] : `status ${status}`;
}

type Admission = Extract<ProposalView['detail'], { kind: 'admission' }>;

export function admissionText(
  { redirectHost, words, scopes, until }: Admission,
  { proposedBy }: ProposalView,
  style: Style,
): string[] {
  return [
    `  ${style.strong(words)}`,
    '  Its browser shows the same two words. Deny if they differ or you didn’t start this.',
    '',
    `Calls itself ${quoted(proposedBy.name)}. This name is not verified.`,
    `Your answer goes to ${inertText(redirectHost)}.`,
    'It may:',
    ...scopes.map(({ title, allows }) => `  ${inertText(title)}: ${inertText(allows)}`),
    `Lasts: ${inertText(until)}`,
  ];
}

type Batch = Extract<ProposalDetail, { kind: 'batch' }>;
type Member = Batch['members'][number];

const severityWords = { danger: '⚠ Danger', warning: '⚠ Warning', notice: 'ℹ Note' } as const;

export function warningText(
  { severity, text }: Pick<ProposalView['warnings'][number], 'severity' | 'text'>,
  style: Style,
): string {
  const line = `${severityWords[severity]}: ${inertText(text)}`;
  return severity === 'danger' ? style.loss(line) : severity === 'warning' ? style.warning(line) : line;
}

/** Every change of a batch with its money, and the changes that were skipped on purpose. */
export function batchText({ members, skipped }: Batch, style: Style): string[] {
  return [
    style.quiet(
      `── What changes (${defaultFormats.counted(members.length, 'change')}, each with its own result)`,
    ),
    ...members.flatMap((member, index) => memberText(member, index + 1, style)),
    ...(skipped.length === 0 ? [] : [style.quiet(`── Not included: ${skipped.length}`)]),
    ...skipped.map(({ what, because }) => `  ${inertText(what)}: ${inertText(because)}`),
  ];
}

function batchResults({ members }: Batch): string[] {
  return members.map((member, index) => {
    const why = member.outcome === null ? '' : ` ${inertText(member.outcome.message)}`;
    return `  ${index + 1}. ${nameOf(member)}: ${stateWords[member.state].sentence}${why}`;
  });
}

function memberText(member: Member, number: number, style: Style): string[] {
  const waits = isUndecided(member.state);
  return [
    `${number}. ${nameOf(member)}  ${perDayText(member.perDay)}`,
    ...(waits ? [] : [style.warning(`    ${stateWords[member.state].sentence}`)]),
    ...whatChanges(member, style).map((line) => `    ${line}`),
    ...member.remarks.map((remark) => `    ${warningText(remark, style)}`),
    ...(member.quotation === null ? [] : [`    In its own words: ${quoted(member.quotation)}`]),
  ];
}

function whatChanges({ targets, changes }: Member, style: Style): string[] {
  return targets.length > 1
    ? targets.map(targetText)
    : changes.flatMap((change) => changeText(change, style));
}

function nameOf({ targets: [only, second], title }: Member): string {
  return only === undefined || second !== undefined ? inertText(title) : `${quoted(only.name)} (${only.cid})`;
}

const verdictNames: Record<FieldVerdict['verdict'], string> = {
  stored: 'saved and verified',
  normalised: 'normalised by the service',
  different: 'DIFFERENT',
  unknown: 'unknown',
  left: 'left as it was',
};

export function outcomeText(proposal: ProposalView, style: Style): string[] {
  const { state, outcome, verdicts, conflict } = proposal;
  const ending = endingForPerson(proposal);
  const ofBatch = isDoneBatch(proposal) ? 'Every change has its own result.' : null;
  const sentence = ending?.sentence ?? ofBatch ?? stateWords[state].sentence;
  const loud = { verified: style.verified, differs: style.loss, refused: style.loss, unknown: style.warning };
  const paint = state in loud ? loud[state as keyof typeof loud] : (text: string) => text;
  return [
    paint(sentence),
    ...(outcome === null || ending !== null ? [] : [inertText(outcome.message), inertText(outcome.next)]),
    ...conflict.map((field) => `  ${conflictWords(field)}`),
    ...(proposal.detail.kind === 'batch' ? batchResults(proposal.detail) : verdictLines(verdicts)),
  ];
}

function verdictLines(verdicts: FieldVerdict[]): string[] {
  if (verdicts.length === 0) return [];
  const asked = verdicts.filter(({ verdict }) => verdict === 'stored');
  const others = verdicts.filter(({ verdict }) => verdict !== 'stored');
  return [
    ...(asked.length > 0
      ? [`  ✓ ${defaultFormats.counted(asked.length, 'field')} ${verdictNames.stored}`]
      : []),
    ...others.map((field) => `  ${verdictWords(field, verdictNames[field.verdict])}`),
  ];
}

export function ledgerText(newestFirst: LedgerEntry[], style: Style): string[] {
  return newestFirst.toReversed().map(({ seq, atMs, summary, via }) => {
    const time = new Date(atMs).toISOString().slice(11, 19);
    const where = via === null ? '' : style.quiet(` (${inertText(via)})`);
    return `  ${String(seq).padStart(4)}  ${style.quiet(`${time}Z`)}  ${inertText(summary)}${where}`;
  });
}

export function reportText(report: LedgerReport, style: Style): string {
  const { state, rows, head, problem } = report;
  const anchor = anchorText(report);
  const chain =
    state === 'verified'
      ? style.verified(`Ledger verified: ${defaultFormats.counted(rows, 'row')}, head ${head.slice(0, 12)}`)
      : style.loss(`Ledger ${state.toUpperCase()}${problem === null ? '' : `: ${problem.text}`}`);
  return anchor === null ? chain : `${chain}\n${style.loss(anchor)}`;
}

export function anchorText({ anchorFailedSinceMs, anchored, rows }: LedgerReport): string | null {
  if (anchorFailedSinceMs === null) return null;
  const behind = anchored === null ? 'the newest rows' : `rows after ${anchored}`;
  const risk = rows === 0 ? 'the ledger cannot begin' : `${behind} could be cut off unnoticed`;
  return `The anchor of the ledger (ledger.anchor.json) cannot be written: ${risk}, and no change is recorded or sent.`;
}
