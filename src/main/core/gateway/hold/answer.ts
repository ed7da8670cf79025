import type { ToolResult } from '#core/mcp-server/index.ts';
import type { Standing } from '#core/proposals/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { refusalResult, type Refusal } from '../refusal.ts';
import { answerLostWords, endWords, isOpen, verdictWords, waitingWords } from './words.ts';

/** Where Countersign's own verdict stands in an answer, for programs. */
const verdictKey = 'countersign/verdict';

/** What the gate knows of a call. */
export interface Known {
  view: Standing;
  /** The service's answer as it came; null where there is none. */
  answer: JsonObject | null;
  /** Of the tool that was called. */
  outputSchema: JsonValue | undefined;
}

/**
 * What an agent is answered to a call that went to the gate. The service's answer goes through whole, with Countersign's
 * verdict as one more text and in `_meta`; whatever was not carried out is an error.
 */
export function answerTo({ view, answer, outputSchema }: Known): ToolResult {
  if (isOpen(view)) return refused(waitingWords(view), { view, outputSchema });
  const isCarriedOut = view.state === 'verified' || view.state === 'differs' || view.state === 'done';
  if (answer !== null && (isCarriedOut || view.state === 'refused')) return withVerdict(answer, view);
  if (isCarriedOut) return refused(answerLostWords(view), { view, outputSchema });
  return refused(endWords(view), { view, outputSchema });
}

function refused(refusal: Refusal, { view, outputSchema }: Omit<Known, 'answer'>): ToolResult {
  return {
    ...refusalResult(refusal, outputSchema),
    _meta: { [verdictKey]: { ...verdictOf(view), code: refusal.code, reason: view.reason } },
  };
}

/** `structuredContent` stays what the tool's output schema promises. */
function withVerdict(answer: JsonObject, view: Standing): ToolResult {
  const { content, _meta: meta } = answer;
  return {
    ...answer,
    content: [
      ...(Array.isArray(content) ? content.filter(isJsonObject) : []),
      { type: 'text', text: verdictWords(view) },
    ],
    _meta: { ...(isObject(meta) ? meta : {}), [verdictKey]: verdictOf(view) },
  };
}

function verdictOf({ id, state, verdicts }: Standing): JsonObject {
  return {
    proposalId: id,
    state,
    fields: verdicts.map(({ field, verdict, sent, found }) => ({ field, verdict, sent, found })),
  };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}
