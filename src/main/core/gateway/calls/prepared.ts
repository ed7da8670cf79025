import { credentialInside } from '#core/platform/credentials.ts';
import {
  commitTool,
  type ToolCallRequest,
  assertAccepted,
  isCommitMember,
  type PrepareAtService,
} from '#core/proposals/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { concealedToken } from '#shared/lib/credential-shapes.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue, objectAt, own } from '#shared/lib/json/json-value.ts';
import { ownWords, quotedUpTo, type Sentence, sentence } from '#shared/lib/sentence.ts';
import type { ToolPins } from '#core/agents/index.ts';
import type { Connections } from '#core/connections/index.ts';
import { callRepeatable } from '#core/service-client/index.ts';
import { assertFits, undeclaredIn } from './assert-fits.ts';

export interface PreparedMemory {
  keep(change: PreparedBody & { agentId: string; approvalId: string }): void;
  find(agentId: string, approvalId: string): PreparedBody | null;
}

export interface PreparedBody {
  tool: string;
  /** The answer's `data` and the arguments of the prepare, as canonical JSON text; `{}` if the answer has an unknown shape. */
  body: string;
  expiresAtMs: number;
}

interface Prepared {
  fingerprint: string | null;
  /** Null if the payload could not be read, so that only the approval is known. */
  change: ToolCallRequest['prepared'];
}

const unknownEndMs = 24 * 60 * 60_000;

const maxApprovals = 20;

const maxDepth = 4;

/**
 * Remembers a prepared change: `data` with `approval {id, fingerprint, expiresAt}` and `payload` (docs/service-choices.md).
 * The contract does not define this answer. From an answer of another shape, only the approvals are remembered.
 */
export function keepPrepared(answer: JsonObject, { memory, agentId, call, nowMs }: KeepingPrepared): void {
  if (answer['isError'] === true) return;
  const { tool, args } = call;
  const prepared = readPrepared(answer);
  if (prepared !== null) {
    const { approvalId, endsAtMs: expiresAtMs } = prepared;
    memory.keep({
      agentId,
      approvalId,
      tool,
      body: canonicalJson({ data: dataIn(answer), args }),
      expiresAtMs,
    });
    return;
  }
  for (const id of approvalsIn(contentOf(answer), maxDepth).slice(0, maxApprovals)) {
    memory.keep({ agentId, approvalId: id, tool, body: '{}', expiresAtMs: nowMs + unknownEndMs });
  }
}

export interface KeepingPrepared {
  memory: PreparedMemory;
  agentId: string;
  call: { tool: string; args: JsonObject };
  nowMs: number;
}

function dataIn(answer: JsonObject): JsonObject {
  return objectAt(objectAt(answer, 'structuredContent'), 'data');
}

/** The parts of a prepare's answer that its commit needs; null for an answer of another shape. */
function readPrepared(answer: JsonObject): {
  approvalId: string;
  fingerprint: string | null;
  payload: JsonValue;
  changes: string[] | null;
  endsAtMs: number;
} | null {
  const data = dataIn(answer);
  const { id: approvalId, expiresAt, fingerprint } = objectAt(data, 'approval');
  const { payload } = data;
  const endsAtMs = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  if (typeof approvalId !== 'string' || payload === undefined || Number.isNaN(endsAtMs)) return null;
  return {
    approvalId,
    fingerprint: typeof fingerprint === 'string' ? fingerprint : null,
    payload,
    changes: fieldsOf(data['diff']),
    endsAtMs,
  };
}

/** The change that was prepared for this agent under the approval in the arguments, or null. */
export function findPrepared(
  args: JsonObject,
  { memory, agentId }: { memory: PreparedMemory; agentId: string },
): Prepared | null {
  const approvalId = own(args, 'approvalId');
  const found = typeof approvalId === 'string' ? memory.find(agentId, approvalId) : null;
  if (found === null) return null;
  const body = JSON.parse(found.body) as JsonObject;
  const { data: stored = null, args: asked = null } = body;
  // Earlier versions of the app stored only the data. The body of an answer of unknown shape is empty.
  const data = isJsonObject(stored) && isJsonObject(asked) ? stored : body;
  const { fingerprint } = objectAt(data, 'approval');
  const payload = data['payload'];
  return {
    fingerprint: typeof fingerprint === 'string' ? fingerprint : null,
    change:
      payload === undefined
        ? null
        : {
            payload,
            changes: fieldsOf(data['diff']),
            endsAtMs: found.expiresAtMs,
            call: data === body || !isJsonObject(asked) ? null : { tool: found.tool, args: asked },
          },
  };
}

function contentOf(answer: JsonObject): JsonValue {
  const structured = own(answer, 'structuredContent');
  if (structured !== undefined) return structured;
  const content = own(answer, 'content');
  const [first] = Array.isArray(content) ? content : [];
  const text = isJsonObject(first) ? own(first, 'text') : undefined;
  try {
    return typeof text === 'string' ? (JSON.parse(text) as JsonValue) : null;
  } catch {
    return null;
  }
}

function approvalsIn(value: JsonValue, levels: number): string[] {
  if (Array.isArray(value)) return levels === 0 ? [] : value.flatMap((item) => approvalsIn(item, levels - 1));
  if (!isJsonObject(value)) return [];
  const named = [
    own(value, 'approvalId'),
    own(value, 'approval_id'),
    own(value, 'approval'),
    own(objectAt(value, 'approval'), 'id'),
  ].filter((id) => typeof id === 'string' && id !== '');
  const inner = levels === 0 ? [] : Object.values(value).flatMap((item) => approvalsIn(item, levels - 1));
  return [...new Set([...(named as string[]), ...inner])];
}

/** The fields of a diff `[{field, …}, …]`; null for a diff of another shape. */
function fieldsOf(diff: JsonValue | undefined): string[] | null {
  if (!Array.isArray(diff)) return null;
  const fields = diff.map((line) => (isJsonObject(line) ? line['field'] : undefined));
  return fields.every((field) => typeof field === 'string') ? fields : null;
}

/**
 * Completes a commit that omits its payload with the payload prepared under its approval. Fails
 * with `approval_unseen`, or with `dlp_denied` if a token was removed from the remembered payload.
 */
export function withPayload(args: JsonObject, prepared: Prepared | null): JsonObject {
  if (Object.hasOwn(args, 'payload') || !Object.hasOwn(args, 'approvalId')) return args;
  if (prepared === null) throw new AppError('approval_unseen');
  const payload = prepared.change?.payload;
  if (payload === undefined) return args;
  if (JSON.stringify(payload).includes(concealedToken)) throw credentialInside('payload', 'a token');
  return { ...args, payload };
}

/** An idempotency key that every service can accept: 1 to 200 visible ASCII characters. */
const keyForm = /^[\x21-\x7e]{1,200}$/;

/**
 * Refuses a call that no service could execute: a malformed idempotency key or, in a commit
 * (contract §4.3, steps 2 to 5), an empty payload, an approval that was not prepared for this agent,
 * or a wrong fingerprint. Fails with `arguments_invalid`, `approval_unseen` or `prepared_differs`.
 */
export function assertCommittable(
  { name }: { name: string },
  args: JsonObject,
  prepared: Prepared | null,
): void {
  const key = own(args, 'idempotencyKey');
  const isCommit = name === commitTool;
  if (isCommit ? !isKey(key) : typeof key === 'string' && !isKey(key)) {
    const given = key === undefined ? '' : ` Given: ${quotedStart(JSON.stringify(key), maxGiven)}.`;
    throw invalid(
      'idempotencyKey',
      sentence`Give 1 to 200 visible characters of ASCII, without spaces.${ownWords(given)}`,
    );
  }
  if (!isCommit) return;
  const payload = own(args, 'payload');
  if (!isJsonObject(payload) || Object.keys(payload).length === 0) {
    throw invalid('payload', sentence`Give the object that was prepared: an empty one changes nothing.`);
  }
  // Refuses an `approvalId` of any type, because a service may accept a list or a number as well.
  if (Object.hasOwn(args, 'approvalId') && prepared === null) throw new AppError('approval_unseen');
  const fingerprint = prepared?.fingerprint ?? null;
  if (fingerprint !== null && own(args, 'fingerprint') !== fingerprint) {
    throw new AppError('prepared_differs', {
      message: sentence`The fingerprint is not the one of this approval: that is ${quotedUpTo(fingerprint, maxFingerprint)}.`,
    });
  }
}

const maxGiven = 80;
const maxFingerprint = 200;

function isKey(key: unknown): boolean {
  return typeof key === 'string' && keyForm.test(key);
}

function invalid(field: string, message: Sentence): AppError {
  return new AppError('arguments_invalid', {
    message: sentence`Not sent for approval: ${field} is not valid. ${ownWords(message)}`,
    fields: [{ field, code: 'invalid', message }],
  });
}

interface PrepareAgainOptions {
  connections: Pick<Connections, 'of'>;
  pins: Pick<ToolPins, 'find'>;
  /** Reads the service's tools now. Fails as the read does. */
  isOfferedAsPinned(profileId: string, tool: { name: string; definitionHash: string }): Promise<boolean>;
}

/**
 * Prepares a change again for a person, with a tool that is a prepare by local policy and is still offered as pinned. The commit
 * keeps everything but approval, fingerprint and payload. It keeps the idempotency key too, because nothing was sent with it.
 */
export function createPrepareAgain(options: PrepareAgainOptions): PrepareAtService {
  const { connections, pins, isOfferedAsPinned } = options;

  /** Fails with `tool_held`, or with `prepare_again_impossible` if the tool is gone or now counts as a write. */
  async function assertPrepares(profileId: string, name: string): Promise<void> {
    const tool = pins.find(profileId, name);
    if (tool === null) throw new AppError('prepare_again_impossible', { message: toolGone });
    if (tool.isHeld || !(await isOfferedAsPinned(profileId, { name, definitionHash: tool.hash }))) {
      throw new AppError('tool_held');
    }
    if (tool.treatAs !== 'prepare') throw new AppError('prepare_again_impossible', { message: toolWrites });
  }

  return async (profileId, { commit, preparation }) => {
    await assertPrepares(profileId, preparation.tool);
    const tool = pins.find(profileId, commit.name);
    if (tool === null || tool.isHeld) throw new AppError('tool_held');
    const { remote } = connections.of(profileId);
    const answer = await callRepeatable(remote, preparation.tool, preparation.args);
    assertAccepted(answer);
    const prepared = readPrepared(answer);
    if (prepared === null) throw new AppError('service_answer_unreadable');
    const { approvalId, fingerprint, payload, changes, endsAtMs } = prepared;
    const args: JsonObject = {
      ...commit.args,
      approvalId,
      ...(fingerprint === null ? {} : { fingerprint }),
      payload,
    };
    const { inputSchema } = tool.definition;
    const undeclared = undeclaredIn(args, inputSchema, isCommitMember);
    assertFits(args, inputSchema, undeclared);
    return {
      tool: { name: tool.name, title: tool.title, definitionHash: tool.hash },
      args,
      undeclared: undeclared.map(({ path }) => path),
      prepared: { payload, changes, endsAtMs, call: preparation },
    };
  };
}

const toolGone = 'The service no longer offers the tool by which this was prepared. Nothing was sent.';
const toolWrites =
  'The tool by which this was prepared counts as a write now, so Countersign does not call it by itself. Nothing was sent.';
