import { ownWords, sentence, type Sentence } from '#shared/lib/sentence.ts';
import { exposureOf, factsOf, fieldLabel, serviceDay, type Exposure } from '#shared/campaign/index.ts';
import { valueInWords, type Warning, statusVerb } from '#shared/wording/index.ts';
import { campaignEditSchema } from '#shared/contract/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import {
  moneyPair,
  noFieldChanges,
  type ProposalWords,
  unknownMoney,
  type Wording,
} from '../../operation.ts';
import { statusWords } from '../../status-change/words.ts';
import { contextOf } from '../../update/stored-parts.ts';
import { updateWords } from '../../update/words.ts';
import { argsInWords } from './arguments-in-words.ts';
import { knownChange, toolCallParts, type ToolCallParts, taskChange, isUploadOf } from '../stored-parts.ts';
import {
  callFigure,
  callTitle,
  effectWarnings,
  guessTitle,
  notComparedWarnings,
  othersWarnings,
  plainCommit,
  preparedDifferentlyWarnings,
  typedForCall,
  undeclaredWarnings,
  unseenWarnings,
} from './warnings.ts';
import { dueNotes, taskWords, uploadWords } from './tasks-and-uploads-in-words.ts';
import type { Formats } from '#shared/lib/formats.ts';
import {
  type Call,
  campaignIn,
  namedCampaigns,
  statesItsChange,
  type StatusMove,
  statusMoveIn,
} from '../call-arguments.ts';

/** A tool call for people: the change that it makes, as far as the arguments prove one, and every argument. */
export function toolCallWords(wording: Wording, formats: Formats): ProposalWords {
  const parts = toolCallParts(wording);
  const words = knownWords(parts, wording, formats);
  const { task, approvalEndsAtMs } = parts;
  const dangers = [
    ...unseenWarnings(parts),
    ...preparedDifferentlyWarnings(parts),
    ...undeclaredWarnings(parts),
    ...othersWarnings(parts),
  ];
  const warnings = [...dangers, ...words.warnings, ...effectWarnings(parts), ...notComparedWarnings(parts)];
  const notes = task?.act === 'due' ? dueNotes(task, approvalEndsAtMs, formats) : [];
  const headline = callFigure(parts, words) ?? words.risk.headline;
  return {
    ...words,
    risk: {
      ...words.risk,
      ...(headline !== undefined && { headline }),
      notes: [...notes, ...words.risk.notes],
    },
    warnings: warnings.toSorted(dangersFirst),
    typeToConfirm: words.typeToConfirm ?? typedForCall(parts, words.targets),
    effects: { ...words.effects, certainty: parts.effect },
    // A change with a danger, an uncertain one, and one that a schedule made due are decided alone.
    comparable:
      dangers.length === 0 && parts.effect === 'stated' && task === null && parts.upload === undefined
        ? words.comparable
        : null,
  };
}

function dangersFirst(one: Warning, other: Warning): number {
  return Number(other.severity === 'danger') - Number(one.severity === 'danger');
}

function knownWords(parts: ToolCallParts, wording: Wording, formats: Formats): ProposalWords {
  const { subject, task, upload } = parts;
  if (isUploadOf(parts, upload))
    return { ...uploadWords(upload, parts.uploadFor, formats), detail: detailOf(parts, formats) };
  const change = taskChange(parts, task);
  if (change !== null && task !== null)
    return { ...taskWords(change, task, formats), detail: detailOf(parts, formats) };
  switch (subject.kind) {
    case 'update':
    case 'status':
      return changeWords(parts, wording, formats);
    case 'campaign':
      return campaignWords(parts, { wording, read: subject.read }, formats);
    case 'arguments':
      return argumentWords(parts, formats);
    default:
      return assertNever(subject);
  }
}

function detailOf(
  { name, args, tool, approvalEndsAtMs, subject, effect, task, upload }: ToolCallParts,
  formats: Formats,
): ProposalWords['detail'] {
  const call = { name, args };
  return {
    kind: 'tool',
    name: inertText(name),
    title: tool.title === null ? null : inertText(tool.title),
    definitionHash: tool.definitionHash,
    effect,
    known: isUploadOf(call, upload) ? 'upload' : taskChange(call, task) === null ? subject.kind : 'task',
    prepared: approvalEndsAtMs !== null,
    args: argsInWords(args, formats),
  };
}

/** The words of exactly the change in the arguments. Where they do not state it, they are what the arguments look like. */
function changeWords(parts: ToolCallParts, wording: Wording, formats: Formats): ProposalWords {
  const change = { ...wording, ...knownChange(parts), rebase: null };
  const words = parts.subject.kind === 'update' ? updateWords(change, formats) : statusWords(change, formats);
  const title = parts.effect === 'stated' ? words.title : guessTitle(parts, words.title);
  return { ...words, title, detail: detailOf(parts, formats) };
}

function campaignWords(
  parts: ToolCallParts,
  { wording, read }: { wording: Wording; read: JsonObject },
  formats: Formats,
): ProposalWords {
  const edit = campaignEditSchema.parse(read);
  const { campaign } = edit;
  const today = serviceDay(wording.createdAtMs, wording.profile.zone);
  const exposure = exposureOf(campaign, today);
  const name = typeof campaign['name'] === 'string' ? campaign['name'] : '';
  const status = Number(campaign['status']);
  const risk = riskFrom(exposure, formats);
  const target = {
    cid: Number(campaign['cid']),
    name: inertText(name),
    statusBefore: status,
    statusAfter: status,
    perDay: risk.perDay,
    untilEnd: risk.untilEnd,
  };
  return {
    ...noEffect,
    title: plainCommit(parts) ?? callTitle(parts, name),
    targets: [target],
    risk,
    detail: detailOf(parts, formats),
    facts: [{ cid: target.cid, before: factsOf(campaign, contextOf(edit)), after: null }],
    unchanged: Object.entries(campaign).map(([field, value]) => ({
      field,
      label: fieldLabel(field),
      value: valueInWords(field, value, contextOf(edit), formats),
    })),
  };
}

function argumentWords(parts: ToolCallParts, formats: Formats): ProposalWords {
  return {
    ...noEffect,
    title: plainCommit(parts) ?? callTitle(parts),
    targets: [],
    risk: { ...nothingKnown, perDay: unknownMoney, untilEnd: unknownMoney },
    detail: detailOf(parts, formats),
    unchanged: [],
  };
}

/** Money at risk that is known now and unknown after the change. */
function riskFrom(exposure: Exposure, formats: Formats): ProposalWords['risk'] {
  const now = (part: 'perDay' | 'untilEnd'): ProposalWords['risk']['perDay'] => ({
    before: moneyPair(part, { before: exposure, after: exposure }, formats).before,
    after: unknownMoney.after,
  });
  return { ...nothingKnown, perDay: now('perDay'), untilEnd: now('untilEnd') };
}

const nothingKnown = {
  bidFactor: null,
  notes: [sentence`Countersign cannot tell what this call does, or how much money is at risk after it.`],
};

const noEffect = {
  typeToConfirm: null,
  warnings: [],
  changes: [],
  effects: noFieldChanges,
  facts: [],
  comparable: null,
} satisfies Partial<ProposalWords>;

/**
 * A call in one sentence with the campaigns that it names, from its arguments alone: for a call that was refused before the service
 * was read.
 */
export function callInWords(call: Call, formats: Formats): { title: Sentence; cids: readonly number[] } {
  const move = statusMoveIn(call);
  const campaign = campaignIn(call);
  const title = move === null ? campaignTitle(campaign) : statusMoveTitle(move, formats);
  const cids = move?.cids ?? [...namedCampaigns(call.args)];
  if (title === null) return { title: plainCommit({ ...call, undeclared: [] }) ?? callTitle(call), cids };
  return { title: statesItsChange(call) ? title : guessTitle(call, title), cids };
}

function statusMoveTitle({ cids, status }: StatusMove, formats: Formats): Sentence {
  const [only] = cids;
  return sentence`${ownWords(statusVerb(status))} ${ownWords(cids.length === 1 ? `campaign ${only}` : formats.counted(cids.length, 'campaign'))}`;
}

/** Null for an id alone, which says nothing of a change. */
function campaignTitle(campaign: JsonObject | null): Sentence | null {
  if (campaign === null || Object.keys(campaign).length < 2) return null;
  return sentence`Change campaign ${Number(campaign['cid'])}`;
}
