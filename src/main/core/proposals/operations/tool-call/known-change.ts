import type { StoredProposal } from '#core/store/app/index.ts';
import type { CreativePicture } from '#shared/app-api/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { cancelTaskPayloadSchema, reportTaskPayloadSchema } from '#shared/contract/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import { statusParts } from '../status-change/stored-parts.ts';
import {
  type Call,
  campaignIn,
  cidsIn,
  commitTool,
  isCommitMember,
  namedCampaigns,
  statesItsChange,
  statusMoveIn,
} from './call-arguments.ts';
import {
  readStoredCall,
  type Subject,
  type TaskOfCall,
  type ToolCallBase,
  type ToolCallParts,
  uploadAddress,
  type UploadOfCall,
  uploadOfCallSchema,
} from './stored-parts.ts';
import type { EffectCertainty, TaskChange } from '#shared/wording/index.ts';

/** The change to a scheduled task by `svc_commit`. Null for an unknown argument or a different task. */
export function taskChange({ name, args }: Call, task: TaskOfCall | null): TaskChange | null {
  if (task === null || name !== commitTool || !Object.keys(args).every(isCommitMember)) return null;
  if (task.act === 'create') {
    const made = reportTaskPayloadSchema.safeParse(args['payload']);
    if (!made.success || made.data.id !== task.id) return null;
    const { id: _id, ...definition } = made.data;
    return { act: 'create', task: definition };
  }
  const ended = cancelTaskPayloadSchema.safeParse(args['payload']);
  const isSameTask = task.act === 'cancel' && ended.success && ended.data.taskId === task.id;
  return isSameTask ? { act: 'cancel' } : null;
}

export function taskNamedBy(
  { name, args }: Call,
  task: TaskOfCall | null,
): Pick<TaskOfCall, 'id' | 'act'> | null {
  if (task !== null) return { id: task.id, act: task.act };
  const { payload } = args;
  if (name !== commitTool || payload === undefined || !isJsonObject(payload)) return null;
  const { id, kind, schedule, taskId } = payload;
  if (typeof id === 'string' && typeof kind === 'string' && schedule !== undefined)
    return { id, act: 'create' };
  return typeof taskId === 'string' && Object.keys(payload).length === 1
    ? { id: taskId, act: 'cancel' }
    : null;
}

const uploadMembers = Object.keys(uploadOfCallSchema.shape) as (keyof UploadOfCall)[];

export function isUploadOf(
  { name, args }: Call,
  upload: UploadOfCall | null | undefined,
): upload is UploadOfCall {
  const { payload } = args;
  if (upload == null || name !== commitTool || !Object.keys(args).every(isCommitMember)) return false;
  return (
    isJsonObject(payload) &&
    Object.keys(payload).length === uploadMembers.length &&
    uploadMembers.every((member) => payload[member] === upload[member])
  );
}

export function uploadPicture({ kind, fileName, sha256 }: UploadOfCall): CreativePicture {
  return {
    field: kind,
    label: fieldLabel(kind),
    side: 'new',
    url: uploadAddress(sha256),
    host: fileName,
    isOwn: true,
  };
}

export function comparableChange(proposal: StoredProposal, parts: ToolCallParts): StoredProposal {
  const { notCompared: volatile } = parts;
  return {
    ...proposal,
    ...knownChange(parts),
    rebase: volatile.length === 0 ? null : { of: proposal.id, round: 0, moved: [], volatile },
  };
}

export function toolCallParts(proposal: Pick<StoredProposal, 'payload' | 'base'>): ToolCallParts {
  const { call, stored } = readStoredCall(proposal);
  const isCommitOfPrepared = call.name === commitTool || Object.hasOwn(call.args, 'approvalId');
  return {
    ...stored,
    ...call,
    effect: effectOf(call, stored),
    isUnseen: isCommitOfPrepared && stored.approvalEndsAtMs === null,
    others: campaignsOutsideChange(call, stored.subject),
  };
}

/** Campaigns named outside the payload. A service may act on them, as it acts on a path id (contract §4.1, rule 2). */
function campaignsOutsideChange(call: Call, { kind }: Subject): number[] {
  if (call.name !== commitTool || (kind !== 'update' && kind !== 'status')) return [];
  const changed = kind === 'update' ? [Number(campaignIn(call)?.['cid'])] : (statusMoveIn(call)?.cids ?? []);
  const { payload: _change, ...beside } = call.args;
  return [...namedCampaigns(beside)].filter((cid) => !changed.includes(cid));
}

function effectOf(
  call: Call,
  { subject, undeclared, task, upload }: Pick<ToolCallBase, 'subject' | 'undeclared' | 'task' | 'upload'>,
): EffectCertainty {
  const isOwn = taskChange(call, task) !== null || isUploadOf(call, upload);
  if (undeclared.length === 0 && isOwn) return 'stated';
  switch (subject.kind) {
    case 'update':
    case 'status':
      return undeclared.length === 0 && statesItsChange(call) ? 'stated' : 'assumed';
    case 'campaign':
      return 'named';
    case 'arguments':
      return cidsIn(call.args).length === 0 ? 'unknown' : 'named';
    default:
      return assertNever(subject);
  }
}

/** `payload` and `base` as the app's own update or status proposal has them; null if the effect is unknown. */
export function knownChange({
  name,
  args,
  subject,
}: ToolCallParts): Pick<StoredProposal, 'payload' | 'base'> | null {
  const call = { name, args };
  switch (subject.kind) {
    case 'update':
      return { payload: canonicalJson(campaignIn(call) ?? {}), base: canonicalJson(subject.read) };
    case 'status':
      return statusChange(call, canonicalJson(subject.read));
    default:
      return null;
  }
}

/** Omits from `ids` the campaigns that already have the status. */
function statusChange(call: Call, base: string): Pick<StoredProposal, 'payload' | 'base'> {
  const { cids, status } = statusMoveIn(call) ?? { cids: [], status: 0 };
  const { targets } = statusParts({ payload: canonicalJson({ ids: cids, status }), base });
  const ids = targets.filter(({ row }) => row.status !== status).map(({ cid }) => cid);
  return { payload: canonicalJson({ ids, status }), base };
}
