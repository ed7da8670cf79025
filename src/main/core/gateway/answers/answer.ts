import type { ToolResult } from '#core/mcp-server/index.ts';
import type { ProposalStatus } from '#core/proposals/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '#shared/lib/json/json-value.ts';
import { isAsApproved, isExecuted, isOpen, isUndecided } from '#shared/proposals/states.ts';
import {
  type VerdictName,
  membersOfLostAnswer,
  takesVerdict,
  verdictKey,
  verdictMember,
  withoutVerdict,
} from './verdict-schema.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import {
  type Refusal,
  answerLostWords,
  endWords,
  executedWords,
  nextForAgent,
  waitingWords,
} from '#shared/wording/index.ts';
import { listed, ownWords, sentence } from '#shared/lib/sentence.ts';

export function refusalOf(
  failure: unknown,
  { tool, logger }: { tool: string; logger: Logger },
): RefusalWithFields {
  if (!(failure instanceof AppError)) logger.error({ err: failure, tool }, 'A call of an agent failed');
  const error = failure instanceof AppError ? failure : new AppError('internal');
  const { code, message, status, fields } = error;
  return { code, message, next: nextForAgent(error), statusCode: status, fields };
}

interface RefusalWithFields extends Refusal {
  fields?: readonly FieldError[];
}

/**
 * A refusal as a tool result (MCP `isError`). Structured like the service's own refusals (contract §7.3) if the output schema
 * allows that, because clients also validate the structured part of an error. Includes the verdict if the schema allows it.
 */
export function refusalResult(
  refusal: RefusalWithFields,
  outputSchema: JsonValue | undefined,
  verdict: JsonObject | null = null,
): ToolResult {
  const { message, next } = refusal;
  const structuredContent = structuredRefusal(refusal, { outputSchema, verdict });
  return {
    content: [{ type: 'text', text: `${message} ${next}` }],
    ...(structuredContent === null ? {} : { structuredContent }),
    isError: true,
  };
}

/** Null if the schema has no place for a refusal, so clients show the text. */
function structuredRefusal(
  { code, message, next, statusCode, fields = [] }: RefusalWithFields,
  { outputSchema, verdict }: { outputSchema: JsonValue | undefined; verdict: JsonObject | null },
): JsonObject | null {
  const said = verdict !== null && takesVerdict(outputSchema) ? { [verdictMember]: verdict } : {};
  const isFree = outputSchema === undefined && verdict !== null;
  if (isFree || takesRefusals(outputSchema)) {
    const errors = fields.length > 0 &&
      takesErrors(outputSchema) && { errors: fields.map((field) => ({ ...field })) };
    return { ...said, status: 'error', error: { code, message, next, statusCode, ...errors } };
  }
  return null;
}

const refusalMembers = ['code', 'message', 'next', 'statusCode'];

/** True if the schema has a place for `{status: 'error', error: {code, message, next, statusCode}}`. */
function takesRefusals(schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema)) return false;
  const { status, error } = objectAt(schema, 'properties');
  if (!isJsonObject(status) || !isJsonObject(error)) return false;
  const { enum: words = [] } = status;
  const { required = [] } = error;
  const named = Object.keys(objectAt(error, 'properties'));
  return (
    Array.isArray(words) &&
    words.includes('error') &&
    refusalMembers.every((name) => named.includes(name)) &&
    Array.isArray(required) &&
    required.every((name) => typeof name === 'string' && refusalMembers.includes(name))
  );
}

/** True if the schema's error has `errors`, one per field, as in the embedded service. */
function takesErrors(schema: JsonValue | undefined): boolean {
  const { error } = isJsonObject(schema) ? objectAt(schema, 'properties') : {};
  return isJsonObject(error) && Object.hasOwn(objectAt(error, 'properties'), 'errors');
}

/** A proposal of an agent, with the number of its newest ledger row. */
export interface AnsweredProposal extends ProposalStatus {
  ledgerRow: number | null;
}

interface SettledCall {
  view: AnsweredProposal;
  answer: JsonObject | null;
  outputSchema: JsonValue | undefined;
  /** True for a call of `countersign_await`. The service's text is then added as data if its answer has no structured part. */
  isAwaited: boolean;
}

/**
 * The answer to a call that became a proposal: the service's own answer, unchanged, with the
 * verdict as another text, in `_meta`, and in the structured part, which is all that some
 * clients pass on (docs/decisions/0030). A call that was not executed as approved is an error.
 */
export function answerTo({ view, answer, outputSchema, isAwaited }: SettledCall): ToolResult {
  if (isOpen(view.state)) return refused(waitingWords(view), { view, outputSchema });
  const wasExecuted = isExecuted(view.state);
  if (answer !== null && (wasExecuted || view.state === 'refused')) {
    return withVerdict(withoutVerdict(answer), { view, outputSchema, isAwaited });
  }
  if (isAsApproved(view.state)) return verdictAlone({ view, outputSchema });
  if (wasExecuted) return refused(answerLostWords(view), { view, outputSchema });
  return refused(endWords(view), { view, outputSchema });
}

function refused(
  refusal: Refusal,
  { view, outputSchema }: Pick<SettledCall, 'view' | 'outputSchema'>,
): ToolResult {
  return {
    ...refusalResult(refusal, outputSchema, verdictOf(view, refusal)),
    _meta: { [verdictKey]: { ...fieldsOf(view), code: refusal.code, reason: view.reason } },
  };
}

/** The stored verdict as the answer. An error if the tool's output schema requires members that only the service knows. */
function verdictAlone({ view, outputSchema }: Pick<SettledCall, 'view' | 'outputSchema'>): ToolResult {
  const words = answerLostWords(view);
  const members = membersOfLostAnswer(outputSchema);
  if (members === null) return refused(words, { view, outputSchema });
  const { message, next } = { ...words, next: executedWords(view).next };
  return {
    content: [{ type: 'text', text: `${message} ${next}` }],
    structuredContent: {
      ...members,
      [verdictMember]: verdictOf(view, { message, next }),
    },
    _meta: { [verdictKey]: fieldsOf(view) },
  };
}

function withVerdict(
  answer: JsonObject,
  { view, outputSchema, isAwaited }: Omit<SettledCall, 'answer'>,
): ToolResult {
  const { content, structuredContent, _meta, ...others } = answer;
  const words = executedWords(view);
  const theirs = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const ours = { type: 'text', text: `${words.message} ${words.next}` };
  const asApproved = isAsApproved(view.state);
  return {
    ...others,
    content: asApproved ? [...theirs, ours] : [ours, ...theirs],
    ...structuredPart(structuredContent ?? (isAwaited ? { said: theirs } : undefined), {
      outputSchema,
      verdict: verdictOf(view, words),
      isAsApproved: asApproved,
    }),
    ...(asApproved ? {} : { isError: true }),
    _meta: { ...objectAt(answer, '_meta'), [verdictKey]: fieldsOf(view) },
  };
}

/**
 * Omits the structured part of an error if the schema does not allow the verdict. Adds
 * no structured part to an answer that has none, because it would hide the texts.
 */
function structuredPart(
  content: JsonValue | undefined,
  {
    outputSchema,
    verdict,
    isAsApproved,
  }: { outputSchema: JsonValue | undefined; verdict: JsonObject; isAsApproved: boolean },
): { structuredContent?: JsonObject } {
  if (!isJsonObject(content)) return {};
  if (takesVerdict(outputSchema)) return { structuredContent: { [verdictMember]: verdict, ...content } };
  return isAsApproved ? { structuredContent: content } : {};
}

/** The verdict for models: only what they need to continue, and nothing that could pass for the service's own data. */
function verdictOf(view: AnsweredProposal, { message, next }: Pick<Refusal, 'message' | 'next'>): JsonObject {
  const { id: proposalId, state, expiresAtMs, ledgerRow, reason, verdicts } = view;
  const isWaiting = isUndecided(state);
  const awaiting = { name: awaitTool, arguments: { proposalId } };
  return {
    verdict: nameOf(view),
    proposalId,
    expiresAt: isWaiting ? new Date(expiresAtMs).toISOString() : null,
    ledgerRow,
    reason,
    message,
    next,
    nextCall: isOpen(state) || state === 'unknown' ? awaiting : null,
    differences: verdicts.filter(({ verdict }) => verdict !== 'stored').map(plainVerdict),
  };
}

const awaitTool = 'countersign_await';

function nameOf({ state }: ProposalStatus): VerdictName {
  switch (state) {
    case 'proposed':
    case 'shown':
      return 'waiting';
    case 'intent':
    case 'sent':
      return 'approved';
    default:
      return state;
  }
}

function fieldsOf({ id, state, verdicts }: ProposalStatus): JsonObject {
  return { proposalId: id, state, fields: verdicts.map(plainVerdict) };
}

function plainVerdict({ field, verdict, sent, found }: ProposalStatus['verdicts'][number]): JsonObject {
  return { field, verdict, sent, found };
}

/** The tool that describes the caller's grant (contract §4.3). */
export const whoamiTool = 'svc_whoami';

interface OwnGrant {
  agentId: string;
  name: string;
  scopes: ReadonlySet<string>;
  toolCount: number;
}

/**
 * The service's answer to `svc_whoami` with the agent's own grant in place of the app's: the agent's id, the scopes
 * that both have, and the number of tools offered to the agent. An answer without `data.scopes` is returned unchanged.
 */
export function withOwnGrant(answer: JsonObject, grant: OwnGrant): JsonObject {
  const structured = objectAt(answer, 'structuredContent');
  const data = objectAt(structured, 'data');
  const { scopes, clientId, counts } = data;
  if (!Array.isArray(scopes)) return answer;
  const own = scopes.filter((scope) => typeof scope === 'string' && grant.scopes.has(scope));
  const structuredContent: JsonObject = {
    ...structured,
    data: {
      ...data,
      scopes: own,
      ...(typeof clientId === 'string' && { clientId: grant.agentId }),
      ...(isJsonObject(counts) && { counts: { ...counts, ...toolsOf(counts, grant.toolCount) } }),
    },
  };
  const scopeList = listed(own.filter((scope): scope is string => typeof scope === 'string'));
  const words = sentence`This is the grant of the agent ${grant.name} at Countersign: ${ownWords(scopeList)}. Each change waits for a person.`;
  const texts = [JSON.stringify(structuredContent), words].map((text) => ({ type: 'text', text }));
  return { ...answer, structuredContent, content: texts };
}

function toolsOf(counts: JsonObject, available: number): { tools?: JsonValue } {
  const { tools } = counts;
  return isJsonObject(tools) && 'available' in tools ? { tools: { ...tools, available } } : {};
}
