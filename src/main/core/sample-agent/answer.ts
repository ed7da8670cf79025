import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';

/** What came of one call, as an agent understands it. */
export type ToolAnswer =
  | { kind: 'done'; data: JsonValue }
  /** Nobody has decided yet; `countersign_await` tells more. */
  | { kind: 'waiting'; proposalId: string }
  /** Denied by a person, `reason` where one was given. */
  | { kind: 'denied'; reason: string | null }
  /** Approved and sent, and stored in another way. */
  | { kind: 'differs' }
  | { kind: 'refused'; code: string; message: string };

const verdictKey = 'countersign/verdict';

/** Reads the result of `tools/call`. */
export function readAnswer(result: JsonObject): ToolAnswer {
  const structured = objectAt(result, 'structuredContent');
  if (result['isError'] !== true) return { kind: 'done', data: structured['data'] ?? null };
  const error = objectAt(structured, 'error');
  const verdict = objectAt(objectAt(result, '_meta'), verdictKey);
  const code = textAt(error, 'code') ?? textAt(verdict, 'code') ?? '';
  const proposalId = textAt(verdict, 'proposalId') ?? textAt(error, 'proposalId');
  if (code === 'waiting_for_person' && proposalId !== null) return { kind: 'waiting', proposalId };
  if (textAt(verdict, 'state') === 'differs') return { kind: 'differs' };
  if (code === 'denied_by_person') return { kind: 'denied', reason: textAt(verdict, 'reason') };
  return { kind: 'refused', code, message: textAt(error, 'message') ?? firstText(result) };
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isJsonObject(found) ? found : {};
}

function textAt(value: JsonObject, key: string): string | null {
  const found = value[key];
  return typeof found === 'string' && found !== '' ? found : null;
}

function firstText({ content }: JsonObject): string {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return parts.map((part) => textAt(part, 'text')).find((text) => text !== null) ?? '';
}
