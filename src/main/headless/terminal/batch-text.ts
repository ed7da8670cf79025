import type { ProposalDetail } from '#shared/app-api/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import { changeText } from './change-text.ts';
import { stateSentences } from './state-sentences.ts';
import type { Style } from './style.ts';
import { perDayText, targetText } from './target-text.ts';

type Batch = Extract<ProposalDetail, { kind: 'batch' }>;
type Member = Batch['members'][number];

/** Every change of a batch with its money, none left out, and what was left out on purpose. */
export function batchText({ members, skipped }: Batch, style: Style): string[] {
  return [
    style.quiet(`── What changes (${counted(members.length, 'change')}, each with its own result)`),
    ...members.flatMap((member, index) => memberText(member, index + 1, style)),
    ...(skipped.length === 0 ? [] : [style.quiet(`── Left out on purpose: ${skipped.length}`)]),
    ...skipped.map(({ what, because }) => `  ${inertText(what)}: ${inertText(because)}`),
  ];
}

/** What has become of each change of a batch, one line each. */
export function batchResults({ members }: Batch): string[] {
  return members.map((member, index) => {
    const why = member.outcome === null ? '' : ` ${inertText(member.outcome.message)}`;
    return `  ${index + 1}. ${nameOf(member)}: ${stateSentences[member.state]}${why}`;
  });
}

function memberText(member: Member, number: number, style: Style): string[] {
  const waits = member.state === 'proposed' || member.state === 'shown';
  return [
    `${number}. ${nameOf(member)}  ${perDayText(member.perDay)}`,
    ...(waits ? [] : [style.warning(`    ${stateSentences[member.state]}`)]),
    ...whatChanges(member, style).map((line) => `    ${line}`),
    ...(member.quotation === null ? [] : [`    In its own words: ${quoted(member.quotation)}`]),
  ];
}

/** Of a change of status of several campaigns each of them, with its own money. */
function whatChanges({ targets, changes }: Member, style: Style): string[] {
  return targets.length > 1
    ? targets.map(targetText)
    : changes.flatMap((change) => changeText(change, style));
}

/** A change of one campaign by the campaign, any other by its sentence. */
function nameOf({ targets: [only, second], title }: Member): string {
  return only === undefined || second !== undefined ? inertText(title) : `${quoted(only.name)} (${only.cid})`;
}
