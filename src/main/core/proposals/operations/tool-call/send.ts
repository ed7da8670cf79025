import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';
import {
  type CampaignReader,
  createTaskTools,
  type RemoteClient,
  toolErrorIn,
  toolRefusalWords,
  withServiceWords,
  ExactJson,
} from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { changeInWords, type TaskChange, taskInWords } from '#shared/wording/index.ts';
import { type ChangeView, diffCampaigns } from '#shared/campaign/index.ts';
import { campaignEditSchema, type ReportTask, type ScheduledTask } from '#shared/contract/index.ts';
import { AppError, catalogue } from '#shared/errors/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { type JsonObject, isJsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import {
  accountOf,
  assertSameAccount,
  type Reread,
  AnsweredFailure,
  type ReadBack,
  type Operation,
  type ConnectionOf,
  type PreparedWrite,
} from '../operation.ts';
import { rereadStatus, type StatusComparison, readBackStatus } from '../status-change/send.ts';
import { contextOf, readBackUpdate, readUnlessGone, rereadUpdate } from '../update.ts';
import { comparableChange, knownChange, taskChange, toolCallParts } from './known-change.ts';
import { answerIn, type TaskOfCall, type ToolCallBase, type ToolCallParts } from './stored-parts.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { commitTool, keyIn } from './call-arguments.ts';
import type { createReadsBefore } from '../campaigns-before.ts';

/**
 * Compares the campaigns with the approved state. Any difference makes the call stale, because the agent prepared its arguments
 * for that state. Volatile fields are not compared.
 */
async function rereadToolCall(
  comparison: StatusComparison,
  proposal: StoredProposal,
  formats: Formats,
): Promise<Reread> {
  const parts = toolCallParts(proposal);
  const found = await rereadSubject(comparison, proposal, parts, formats);
  if (found.kind !== 'unchanged') return found;
  const { before = [] } = found;
  const read = new Set(before.map(({ cid }) => cid));
  const others = [...new Set([...proposal.targets, ...parts.others])].filter((cid) => !read.has(cid));
  return { ...found, before: [...before, ...(await comparison.before.read(others))] };
}

async function rereadSubject(
  comparison: StatusComparison,
  proposal: StoredProposal,
  parts: ToolCallParts,
  formats: Formats,
): Promise<Reread> {
  const { subject } = parts;
  const change = comparableChange(proposal, parts);
  switch (subject.kind) {
    case 'update':
      return withoutSuccessor(await rereadUpdate(comparison.client, change, formats), parts);
    case 'status':
      return withoutSuccessor(await rereadStatus(comparison, change, formats), parts);
    case 'campaign':
      return rereadCampaign(comparison.client, { proposal, parts, read: subject.read }, formats);
    case 'arguments':
      return { kind: 'unchanged' };
    default:
      return assertNever(subject);
  }
}

function withoutSuccessor(reread: Reread, parts: ToolCallParts): Reread {
  switch (reread.kind) {
    case 'outdated':
      return outdated(reread.successor.rebase?.moved ?? [], parts);
    case 'conflict':
      return { ...reread, message: outdatedMessage(reread.conflict, parts) };
    default:
      return reread;
  }
}

async function rereadCampaign(
  reader: CampaignReader,
  { proposal, parts, read }: { proposal: StoredProposal; parts: ToolCallParts; read: JsonObject },
  formats: Formats,
): Promise<Reread> {
  const edit = campaignEditSchema.parse(read);
  const cid = Number(edit.campaign['cid']);
  const found = await readUnlessGone(reader, cid);
  if (found instanceof AppError) return { kind: 'impossible', failure: found };
  const now = found.edit.campaign;
  assertSameAccount(proposal, accountOf(now['uid']));
  const changes = diffCampaigns(edit.campaign, now).filter(({ field }) => !parts.notCompared.includes(field));
  if (changes.length === 0) return { kind: 'unchanged', before: [{ cid, campaign: now }] };
  return outdated(
    changes.map((change) => changeInWords(change, contextOf(edit), formats)),
    parts,
  );
}

function outdated(changes: readonly ChangeView[], parts: ToolCallParts): Reread {
  return {
    kind: 'conflict',
    conflict: changes.map(({ field, label, before, after }) => ({
      field,
      label,
      base: before,
      mine: before,
      theirs: after,
    })),
    message: outdatedMessage(changes, parts),
  };
}

function outdatedMessage(
  changed: readonly { label: string }[],
  { task }: Pick<ToolCallParts, 'task'>,
): Sentence {
  const labels = [...new Set(changed.map(({ label }) => label))].join(', ');
  const next =
    task === null ? 'The agent has to prepare it again.' : 'The schedule asks again when it is next due.';
  return sentence`The campaign changed after this was prepared: ${ownWords(labels)}. Nothing was sent. ${ownWords(next)}`;
}

/** With this status or a higher status, the service may have failed after the change. */
const leastFailing = 500;

/** Fails with `tool_refused` and the service's message, or `outcome_unknown` if the service itself failed. Keeps the answer. */
export function assertAccepted(result: JsonObject): void {
  if (result['isError'] !== true) return;
  const answer = JSON.stringify(result);
  const { statusCode } = toolErrorIn(result);
  if (typeof statusCode === 'number' && statusCode >= leastFailing) {
    throw new AnsweredFailure('outcome_unknown', { answer });
  }
  throw new AnsweredFailure('tool_refused', {
    answer,
    ...withServiceWords(catalogue.tool_refused.text, toolRefusalWords(result)),
  });
}

function commitStatus(result: JsonObject): string | null {
  const status = dataIn(result)['status'];
  return typeof status === 'string' ? status : null;
}

function dataIn(result: JsonObject): JsonObject {
  const content = result['structuredContent'];
  const data = isJsonObject(content) ? content['data'] : undefined;
  return isJsonObject(data) ? data : {};
}

interface ReadingBack {
  reader: CampaignReader;
  remote: Pick<RemoteClient, 'callTool'>;
  answer: JsonObject | null;
}

async function readBackToolCall(
  { reader, remote, answer }: ReadingBack,
  proposal: StoredProposal,
  formats: Formats,
): Promise<ReadBack> {
  const parts = toolCallParts(proposal);
  const known = knownChange(parts);
  const change = taskChange(parts, parts.task);
  if (change !== null && parts.task !== null) return readBackTask(remote, change, parts.task, formats);
  if (known === null)
    return answer === null ? looked(await operationStatus(remote, parts)) : asAnswered(answer);
  const compared = comparableChange(proposal, parts);
  return parts.subject.kind === 'update'
    ? readBackUpdate(reader, compared, formats)
    : readBackStatus(reader, compared);
}

function asAnswered(answer: JsonObject): ReadBack {
  const isAsSent = !fallsShort.includes(commitStatus(answer) ?? '');
  return { isAsSent, evidence: isAsSent ? 'none' : 'other', verdicts: [] };
}

function looked(status: string | null): ReadBack {
  const evidence = status === 'completed' ? 'payload' : fallsShort.includes(status ?? '') ? 'other' : 'none';
  return { isAsSent: evidence === 'payload', evidence, verdicts: [] };
}

const fallsShort: readonly string[] = ['partial', 'not_stored'];

async function operationStatus(
  remote: ReadingBack['remote'],
  { name, args }: ToolCallParts,
): Promise<string | null> {
  const idempotencyKey = keyIn(args);
  if (name !== commitTool || idempotencyKey === null) return null;
  try {
    const result = await remote.callTool('svc_get_operation', { idempotencyKey });
    return result['isError'] === true ? null : commitStatus(result);
  } catch (failure) {
    if (failure instanceof AppError) return null;
    throw failure;
  }
}

async function readBackTask(
  remote: Pick<RemoteClient, 'callTool'>,
  change: TaskChange,
  { id }: TaskOfCall,
  formats: Formats,
): Promise<ReadBack> {
  let found: ScheduledTask | undefined;
  try {
    const { tasks } = await createTaskTools(remote).list();
    found = tasks.find((task) => task.id === id);
  } catch (failure) {
    if (failure instanceof AppError) return { isAsSent: true, evidence: 'none', verdicts: [] };
    throw failure;
  }
  if (change.act === 'cancel') {
    const isOver = found === undefined || found.state === 'cancelled';
    const verdict = verdictOf('state', {
      label: 'State',
      sent: 'cancelled',
      found: found?.state ?? 'gone',
      isStored: isOver,
    });
    return { isAsSent: isOver, evidence: isOver ? 'payload' : 'base', verdicts: [verdict] };
  }
  if (found === undefined) return { isAsSent: false, evidence: 'base', verdicts: [] };
  const verdicts = storedVerdicts(change.task, found, formats);
  const isAsSent = verdicts.every(({ verdict }) => verdict === 'stored');
  return { isAsSent, evidence: isAsSent ? 'payload' : 'other', verdicts };
}

function storedVerdicts(task: ReportTask, found: ScheduledTask, formats: Formats): ReadBack['verdicts'] {
  const { kind, schedule, parameters } = task;
  const [sent, now] = [taskInWords({ kind, schedule, parameters }, formats), taskInWords(found, formats)];
  const isEqual = (one: JsonValue, other: JsonValue): boolean => canonicalJson(one) === canonicalJson(other);
  return [
    verdictOf('what', {
      label: 'What it does',
      sent: sent.what,
      found: now.what,
      isStored: found.kind === kind && isEqual(parameters, found.parameters),
    }),
    verdictOf('when', {
      label: 'When',
      sent: sent.when,
      found: now.when,
      isStored: isEqual(schedule, found.schedule),
    }),
  ];
}

function verdictOf(
  field: string,
  { isStored, ...values }: { label: string; sent: string; found: string; isStored: boolean },
): ReadBack['verdicts'][number] {
  return { field, ...values, verdict: isStored ? 'stored' : 'different' };
}

interface ToolCallOptions {
  connectionOf: ConnectionOf;
  readsBefore: ReturnType<typeof createReadsBefore>;
  answerOf(proposalId: string): string | null;
  isOfferedAsPinned(profileId: string, tool: ToolCallBase['tool']): Promise<boolean>;
  prepareAgain(proposal: StoredProposal): Promise<PreparedWrite>;
  formats(): Formats;
}

/** A call of one of the service's tools (contract §4.3, tools/call). */
export function createToolCallOperation(options: ToolCallOptions): Operation {
  const { connectionOf, readsBefore, answerOf, isOfferedAsPinned, prepareAgain, formats } = options;
  return {
    prepareAgain,
    async reread(proposal) {
      const connection = connectionOf(proposal);
      const { campaigns: client } = connection;
      const before = readsBefore(proposal, client);
      const found = await rereadToolCall({ client, today: connection.today(), before }, proposal, formats());
      if (found.kind !== 'unchanged') return found;
      // The definition is read last, because it may change silently while a person reads.
      const { tool } = toolCallParts(proposal);
      const isSame = await isOfferedAsPinned(proposal.profile.id, tool);
      return isSame ? found : { kind: 'impossible', failure: new AppError('tool_held') };
    },
    async send(proposal) {
      const { name, args } = toolCallParts(proposal);
      const result = await connectionOf(proposal).remote.callTool(name, new ExactJson(canonicalJson(args)));
      assertAccepted(result);
      return JSON.stringify(result);
    },
    readBack(proposal) {
      const { campaigns: reader, remote } = connectionOf(proposal);
      const text = answerOf(proposal.id);
      const answer = text === null ? null : answerIn(text);
      return readBackToolCall({ reader, remote, answer }, proposal, formats());
    },
  };
}
