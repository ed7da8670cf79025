import type { ComparedField, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { serviceDay, type ServiceMoment, type ChangeView, type FieldEffect } from '#shared/campaign/index.ts';
import { campaignEditSchema, type StatusCode } from '#shared/contract/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { toDecimal, toMicros } from '#shared/lib/decimal.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { inertText, quotedStart } from '#shared/lib/inert-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import type { Sentence } from '#shared/lib/sentence.ts';
import { webHost } from '#shared/lib/web-address.ts';
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
  statusVerb,
} from '#shared/wording/index.ts';
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
import { isUploadOf, knownChange, taskChange, toolCallParts } from './tool-call/known-change.ts';
import { pictureIn } from './tool-call/picture-argument.ts';
import type { ToolCallParts } from './tool-call/stored-parts.ts';
import { contextOf, updateParts } from './update.ts';

export function describeUpdate(wording: Wording, formats: Formats): ProposalWords {
  const { stoppedAs = [], rebase, proposedBy } = wording;
  const parts = {
    ...updateParts(wording),
    today: dayOf(wording),
    stoppedAs,
    volatileFields: rebase?.volatile ?? [],
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
  const returnAtMs = parts.returns?.atMs ?? null;
  const words = statusWords({ ...parts, stoppedAs, returnAtMs, zone: profile.zone, isOwn }, formats);
  return {
    ...words,
    detail: { kind: 'campaigns' },
    comparable: parts.targeted === 'running' ? null : comparableStatus(words, parts.payload.status),
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
    // Dangers, changes with an uncertain effect, and due changes of schedules are decided alone.
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

/** Describes a call in one sentence, from its arguments alone. For a call that was refused before the service was read. */
export function callInWords(call: Call, formats: Formats): { title: Sentence; cids: readonly number[] } {
  const { name, args } = call;
  const move = statusMoveIn(call);
  const campaign = campaignIn(call);
  const cids = move?.cids ?? [...namedCampaigns(args)];
  // A campaign object with only an id changes nothing.
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

type Alone = Pick<ProposalView, 'warnings' | 'typeToConfirm' | 'targets'>;

/**
 * The changed fields, sorted, by which equal updates are found. Null if the update is decided alone: it affects
 * several campaigns, is dangerous, or needs a typed value. A person's own change of host is an exception.
 */
function comparableUpdate(
  words: Alone,
  {
    effects,
    changes,
    proposedBy,
  }: {
    effects: readonly FieldEffect[];
    changes: readonly ChangeView[];
    proposedBy: StoredProposal['proposedBy'];
  },
): ComparedField[] | null {
  if (words.targets.length !== 1 || effects.length === 0) return null;
  if (isDangerous(words)) return proposedBy.kind === 'person' ? hostChange(words, effects) : null;
  const views = new Map(changes.map((view) => [view.field, view]));
  return effects
    .toSorted((a, b) => (a.field < b.field ? -1 : 1))
    .map((effect) =>
      comparedField(effect, quotedStart(views.get(effect.field)?.after ?? '', maxValueLength)),
    );
}

function comparableStatus(words: Alone, to: StatusCode): ComparedField[] | null {
  if (words.targets.length !== 1 || isDangerous(words)) return null;
  return [{ kind: 'value', field: 'status', value: to, text: statusVerb(to) }];
}

function isDangerous({ warnings, typeToConfirm }: Alone): boolean {
  return typeToConfirm !== null || warnings.some(({ severity }) => severity === 'danger');
}

function comparedField({ field, before, after, measure }: FieldEffect, text: string): ComparedField {
  const set = { field, text, ...(after !== undefined && { value: after }) };
  if (measure.kind !== 'money' && measure.kind !== 'count') return { kind: 'value', ...set };
  const [from, to] = [microsOf(before), microsOf(after)];
  const isLimit =
    measure.kind === 'count' || (measure.before.kind !== 'unlimited' && measure.after.kind !== 'unlimited');
  if (from === null || to === null || !isLimit) return { kind: 'value', ...set };
  return { kind: 'amount', unit: measure.kind, before: from, after: to, ...set };
}

/** Null for an amount finer than micros: changes that are equal only after rounding are not equal. */
function microsOf(value: JsonValue | undefined): string | null {
  if (typeof value !== 'number' || toDecimal(value).exponent < -6) return null;
  return toMicros(value).toString();
}

/** Null unless the host of one destination is the only effect and the only danger. */
function hostChange(
  { warnings, typeToConfirm }: Alone,
  effects: readonly FieldEffect[],
): ComparedField[] | null {
  const dangers = warnings.filter(({ severity }) => severity === 'danger');
  const [effect, ...others] = effects;
  if (dangers.length !== 1 || dangers[0]?.code !== 'destination_changes') return null;
  if (effect === undefined || others.length > 0) return null;
  const [before, after] = [addressParts(effect.before), addressParts(effect.after)];
  if (before === null || after === null || before.frame !== after.frame) return null;
  // The person types the host that the group names.
  if (after.host !== typeToConfirm?.value) return null;
  return [{ kind: 'host', field: effect.field, before: before.host, after: after.host }];
}

function addressParts(value: JsonValue | undefined): { host: string; frame: string } | null {
  if (typeof value !== 'string') return null;
  const host = webHost(value);
  const found = /^(https?:\/\/)[^\s\\/?#@{}[\]%]+([\\/?#].*)?$/is.exec(value);
  if (host === null || found === null) return null;
  const [, scheme = '', rest = ''] = found;
  return { host, frame: `${scheme}\n${rest}` };
}

const maxValueLength = 300;
