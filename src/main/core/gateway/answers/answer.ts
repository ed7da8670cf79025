import type { ToolResult } from '#core/mcp-server/index.ts';
import type { ProposalStatus } from '#core/proposals/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '#shared/lib/json/json-value.ts';
import { isAsApproved, isExecuted, isOpen } from '#shared/proposals/states.ts';
import {
  type VerdictName,
  membersOfLostAnswer,
  takesVerdict,
  verdictKey,
  verdictMember,
  withoutVerdict,
} from './verdict-schema.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  type Refusal,
  answerLostWords,
  endWords,
  executedWords,
  nextForAgent,
  waitingWords,
} from '#shared/wording/index.ts';

/** The refusal that a failure stands for. A bug is logged and stays neutral. */
export function refusalOf(failure: unknown, { tool, logger }: { tool: string; logger: Logger }): Refusal {
  if (!(failure instanceof AppError)) logger.error({ err: failure, tool }, 'A call of an agent failed');
  const error = failure instanceof AppError ? failure : new AppError('internal');
  const { code, message, status } = error;
  return { code, message, next: nextForAgent(error), statusCode: status };
}

/**
 * A refusal as the answer of a tool (MCP `isError`), structured as the service's own refusals (contract §7.3) if the
 * output schema takes that: clients check the structured part of an error as well. The verdict goes along if the schema
 * takes it.
 */
export function refusalResult(
  refusal: Refusal,
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

/** Null if the schema has no place for it: then clients pass the words on. */
function structuredRefusal(
  { code, message, next, statusCode }: Refusal,
  { outputSchema, verdict }: { outputSchema: JsonValue | undefined; verdict: JsonObject | null },
): JsonObject | null {
  const said = verdict !== null && takesVerdict(outputSchema) ? { [verdictMember]: verdict } : {};
  const isFree = outputSchema === undefined && verdict !== null;
  if (isFree || takesRefusals(outputSchema)) {
    return { ...said, status: 'error', error: { code, message, next, statusCode } };
  }
  return null;
}

const ours = ['code', 'message', 'next', 'statusCode'];

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
    ours.every((name) => named.includes(name)) &&
    Array.isArray(required) &&
    required.every((name) => typeof name === 'string' && ours.includes(name))
  );
}

interface SettledCall {
  view: ProposalStatus;
  answer: JsonObject | null;
  outputSchema: JsonValue | undefined;
}

/**
 * The answer to a call that went to the gate: the service's own, unchanged, with the verdict as one more text, in
 * `_meta` and in the structured answer, which is all that some clients pass on (docs/decisions/0030). A call that was
 * not executed as approved is an error.
 */
export function answerTo({ view, answer, outputSchema }: SettledCall): ToolResult {
  if (isOpen(view.state)) return refused(waitingWords(view), { view, outputSchema });
  const wasExecuted = isExecuted(view.state);
  if (answer !== null && (wasExecuted || view.state === 'refused')) {
    return withVerdict(withoutVerdict(answer), { view, outputSchema });
  }
  if (isAsApproved(view.state)) return verdictAlone({ view, outputSchema });
  if (wasExecuted) return refused(answerLostWords(view), { view, outputSchema });
  return refused(endWords(view), { view, outputSchema });
}

function refused(refusal: Refusal, { view, outputSchema }: Omit<SettledCall, 'answer'>): ToolResult {
  return {
    ...refusalResult(refusal, outputSchema, verdictOf(view, refusal)),
    _meta: { [verdictKey]: { ...fieldsOf(view), code: refusal.code, reason: view.reason } },
  };
}

/** The stored verdict as the answer; an error in its words if the tool's output schema requires what only the service knows. */
function verdictAlone({ view, outputSchema }: Omit<SettledCall, 'answer'>): ToolResult {
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

function withVerdict(answer: JsonObject, { view, outputSchema }: Omit<SettledCall, 'answer'>): ToolResult {
  const { content, structuredContent, _meta, ...others } = answer;
  const words = executedWords(view);
  const theirs = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const ours = { type: 'text', text: `${words.message} ${words.next}` };
  const asApproved = isAsApproved(view.state);
  return {
    ...others,
    content: asApproved ? [...theirs, ours] : [ours, ...theirs],
    ...structuredPart(structuredContent, {
      outputSchema,
      verdict: verdictOf(view, words),
      isAsApproved: asApproved,
    }),
    ...(asApproved ? {} : { isError: true }),
    _meta: { ...objectAt(answer, '_meta'), [verdictKey]: fieldsOf(view) },
  };
}

/**
 * Of an error whose schema does not take the verdict, only the words are passed on. No part is added: it would hide the
 * service's words.
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

/** The member for models: what they need to go on, and nothing that they could take for the service's word. */
function verdictOf(view: ProposalStatus, { message, next }: Pick<Refusal, 'message' | 'next'>): JsonObject {
  const differences = view.verdicts.filter(({ verdict }) => verdict !== 'stored').map(plainVerdict);
  return { verdict: nameOf(view), proposalId: view.id, message, next, differences };
}

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
