import { serviceDay, type ServiceMoment } from '#shared/campaign/index.ts';
import { campaignEditSchema } from '#shared/contract/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { Sentence } from '#shared/lib/sentence.ts';
import {
  argumentsInWords,
  type CallEffects,
  callWords,
  isDoubtful,
  namedCampaignWords,
  statusWords,
  taskWords,
  titles,
  unknownCallTitle,
  unknownCallWords,
  updateWords,
  uploadWords,
  type WriteWords,
} from '#shared/wording/index.ts';
import { comparableStatus, comparableUpdate } from './equal-changes.ts';
import type { ProposalWords, Wording } from './operation.ts';
import { statusParts } from './status-change/stored-parts.ts';
import {
  type Call,
  campaignIn,
  commitTool,
  isCommitMember,
  namedCampaigns,
  statesItsChange,
  statusMoveIn,
} from './tool-call/call-arguments.ts';
import { pictureIn } from './tool-call/picture-argument.ts';
import { isUploadOf, knownChange, taskChange, toolCallParts } from './tool-call/known-change.ts';
import type { ToolCallParts } from './tool-call/stored-parts.ts';
import { contextOf, updateParts } from './update/stored-parts.ts';

export function describeUpdate(wording: Wording, formats: Formats): ProposalWords {
  const { stoppedAs = [], rebase, proposedBy } = wording;
  const parts = {
    ...updateParts(wording),
    today: dayOf(wording),
    stoppedAs,
    volatile: rebase?.volatile ?? [],
  };
  const words = updateWords(parts, formats);
  const { effects, changes } = words;
  return {
    ...words,
    detail: { kind: 'campaigns' },
    comparable: comparableUpdate(words, { effects: effects.changes, changes, proposedBy }),
  };
}

export function describeStatus(wording: Wording, formats: Formats): ProposalWords {
  const { stoppedAs = [], profile, proposedBy } = wording;
  const parts = statusParts(wording);
  const isOwn = proposedBy.kind === 'person';
  const words = statusWords({ ...parts, stoppedAs, zone: profile.zone, isOwn }, formats);
  return {
    ...words,
    detail: { kind: 'campaigns' },
    comparable: parts.meant === 'running' ? null : comparableStatus(words, parts.payload.status),
  };
}

function dayOf({ createdAtMs, profile }: Wording): ServiceMoment {
  return serviceDay(createdAtMs, profile.zone);
}

export function describeCall(wording: Wording, formats: Formats): ProposalWords {
  const parts = toolCallParts(wording);
  const { name, args, tool, approvalEndsAtMs, effect, task, upload } = parts;
  const call = callEffects(parts);
  const { known, words, comparable } = knownWords(parts, { call, wording, formats });
  return {
    ...callWords(call, words, formats),
    detail: {
      kind: 'tool',
      name: inertText(name),
      title: tool.title === null ? null : inertText(tool.title),
      definitionHash: tool.definitionHash,
      effect,
      known,
      prepared: approvalEndsAtMs !== null,
      args: argumentsInWords(args, pictureIn, formats),
    },
    // Dangers, uncertain changes and due changes of schedules are decided alone.
    comparable:
      isDoubtful(call) || effect !== 'stated' || task !== null || upload !== undefined ? null : comparable,
  };
}

function callEffects(parts: ToolCallParts): CallEffects {
  const { name, args, subject, task } = parts;
  return {
    ...parts,
    argCount: Object.keys(args).length,
    subject: subject.kind,
    named: namedCampaigns(args),
    commit: plainCommit({ name, args }, parts.undeclared),
    due: task?.act === 'due' ? task : null,
  };
}

/** The payload of a commit with the contract's members alone; null for any other call. */
function plainCommit({ name, args }: Call, undeclared: readonly string[]): JsonObject | null {
  const { payload } = args;
  const isPlain = name === commitTool && undeclared.length === 0 && Object.keys(args).every(isCommitMember);
  return isPlain && isJsonObject(payload) ? payload : null;
}

interface KnownWords {
  known: Extract<ProposalWords['detail'], { kind: 'tool' }>['known'];
  words: WriteWords;
  comparable: ProposalWords['comparable'];
}

function knownWords(
  parts: ToolCallParts,
  { call, wording, formats }: { call: CallEffects; wording: Wording; formats: Formats },
): KnownWords {
  const { subject, task, upload } = parts;
  const alone = (known: KnownWords['known'], words: WriteWords): KnownWords => ({
    known,
    words,
    comparable: null,
  });
  if (isUploadOf(parts, upload)) return alone('upload', uploadWords(upload, parts.uploadFor, formats));
  const change = taskChange(parts, task);
  if (change !== null && task !== null) return alone('task', taskWords(change, task, formats));
  switch (subject.kind) {
    case 'update':
    case 'status': {
      const known = { ...wording, ...knownChange(parts), rebase: null };
      const describe = subject.kind === 'update' ? describeUpdate : describeStatus;
      const { detail: _detail, comparable, ...words } = describe(known, formats);
      const title = parts.effect === 'stated' ? words.title : titles.guess(parts.name, words.title);
      return { known: subject.kind, words: { ...words, title }, comparable };
    }
    case 'campaign': {
      const edit = campaignEditSchema.parse(subject.read);
      const named = { campaign: edit.campaign, context: contextOf(edit), today: dayOf(wording) };
      return alone('campaign', namedCampaignWords(call, named, formats));
    }
    case 'arguments':
      return alone('arguments', unknownCallWords(call));
    default:
      return assertNever(subject);
  }
}

/** A call in one sentence, from its arguments alone: for a call that was refused before the service was read. */
export function callInWords(call: Call, formats: Formats): { title: Sentence; cids: readonly number[] } {
  const { name, args } = call;
  const move = statusMoveIn(call);
  const campaign = campaignIn(call);
  const cids = move?.cids ?? [...namedCampaigns(args)];
  // An id alone is no change.
  const isChange = campaign !== null && Object.keys(campaign).length > 1;
  const title =
    move !== null
      ? titles.statusOf(move.cids, move.status, formats)
      : isChange
        ? titles.updateOf(Number(campaign['cid']))
        : null;
  if (title !== null) return { title: statesItsChange(call) ? title : titles.guess(name, title), cids };
  const argCount = Object.keys(args).length;
  return { title: unknownCallTitle({ name, argCount, commit: plainCommit(call, []) }), cids };
}
