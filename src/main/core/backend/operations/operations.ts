import { z } from 'zod';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { OperationRow, BackendStore } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { defineTool, type RemoteTool, type RemotePrincipal } from '../remote-call/tool.ts';
import type { BackendService } from '../service.ts';
import { argumentsInvalid, JsonText } from '#core/mcp-server/index.ts';
import {
  commitInput,
  commitRequestOf,
  idempotencyKey,
  approvalChecks,
  loadApproval,
  requestHashOf,
  requireConfirmation,
  type CommitRequest,
} from './commit-checks.ts';
import {
  type WritePreparer,
  prepareTool,
  prepareWrite,
  writeScopes,
  type WriteKind,
  type Verification,
} from './write-kind.ts';
import { sentence } from '#shared/lib/sentence.ts';
import { setImmediate } from 'node:timers/promises';

export interface Operations extends WritePreparer {
  tools: readonly RemoteTool[];
}

export function createOperations(service: BackendService, kinds: readonly WriteKind[]): Operations {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const committer = createCommitter(service, byName);
  return {
    tools: [
      ...kinds.map((kind) => prepareTool(service, kind)),
      commitTool(committer, kinds),
      getOperationTool(service, committer),
    ],
    prepare(principal, { kind: name, ...asked }) {
      const kind = byName.get(name);
      if (kind === undefined) throw new Error(`Unknown kind of write: ${name}`);
      return prepareWrite(service, { principal, kind, ...asked });
    },
  };
}

const answerShape = z.strictObject({
  operationId: z.string(),
  idempotencyKey: z.string(),
  kind: z.string(),
  target: z.string(),
  status: z
    .enum(['completed', 'partial', 'not_stored', 'in_flight'])
    .describe('What the verification read found; in_flight while it has not been made.'),
  committedAt: z.string(),
  verification: z
    .looseObject({ stored: z.boolean(), verifiedAt: z.string() })
    .optional()
    .describe('What is stored now.'),
});

function commitTool(committer: Committer, kinds: readonly WriteKind[]): RemoteTool {
  return defineTool({
    name: 'svc_commit',
    title: 'Commit a prepared change',
    description: [
      'Writes exactly what an svc_prepare_… tool has prepared, once, and reads it back.',
      'Only after a person has seen its diff and agreed. Payload and fingerprint unchanged; a batch is all or nothing.',
    ].join(' '),
    kind: 'commit',
    scopes: writeScopes,
    modules: [...new Set(kinds.flatMap(({ modules }) => modules))],
    input: commitInput,
    // A campaign may contain text that looks like a credential. A commit accepts only the prepared payload anyway.
    echoedArguments: ['payload'],
    output: answerShape,
    run: async (principal, args) => ({
      data: new JsonText(await committer.commit(principal, commitRequestOf(args))),
    }),
  });
}

function getOperationTool({ store }: BackendService, { outcomes }: Committer): RemoteTool {
  return defineTool({
    name: 'svc_get_operation',
    title: 'Get an operation',
    description: 'How a commit of yours ended, by its operation id or its idempotency key. Give one of them.',
    kind: 'read',
    scopes: ['svc:read'],
    modules: [],
    input: z.strictObject({
      operationId: z.string().min(1).max(200).optional(),
      idempotencyKey: idempotencyKey.optional(),
    }),
    output: answerShape,
    run(principal, args) {
      const operation = findOperation(store, principal.key, args);
      if (operation === null) throw new AppError('object_not_found');
      if (outcomes.isRunning(operation)) return { data: inFlight(operation) };
      return { data: new JsonText(outcomes.settle(principal, operation)) };
    },
  });
}

function findOperation(
  { operations }: BackendStore,
  owner: string,
  asked: { operationId?: string | undefined; idempotencyKey?: string | undefined },
): OperationRow | null {
  const { operationId: id, idempotencyKey: key } = asked;
  if (id !== undefined && key === undefined) return operations.operation(owner, id);
  if (key !== undefined && id === undefined) return operations.operationByKey(owner, key);
  const message = sentence`Give either operationId or idempotencyKey.`;
  throw argumentsInvalid([{ field: 'operationId', code: 'required', message }]);
}

function inFlight({ id, idempotencyKey: key, kind, target, committedAtMs }: OperationRow): JsonObject {
  const committedAt = new Date(committedAtMs).toISOString();
  return { operationId: id, idempotencyKey: key, kind, target, status: 'in_flight', committedAt };
}

const operationRetentionMs = 30 * 24 * 60 * 60 * 1000;

const maxOperations = 2_000;

type Committer = ReturnType<typeof createCommitter>;

function createCommitter(service: BackendService, kinds: ReadonlyMap<string, WriteKind>) {
  const outcomes = createOutcomes(service, kinds);
  return {
    outcomes,
    /**
     * Returns JSON text. Repeating the commit with its key returns the same text and writes nothing. A failed check does not
     * use up the key.
     */
    async commit(principal: RemotePrincipal, request: CommitRequest): Promise<string> {
      const requestHash = requestHashOf(request);
      const earlier = service.store.operations.operationByKey(principal.key, request.idempotencyKey);
      if (earlier !== null) return replayAnswer(earlier, { principal, requestHash, outcomes });
      requireConfirmation(request);
      const operation = write(service, { kinds, principal, request, requestHash });
      return outcomes.during(operation, async () => {
        // Lets writes of other clients happen before the verification read, as they can at any service.
        await setImmediate();
        return outcomes.settle(principal, operation);
      });
    },
  };
}

function replayAnswer(
  earlier: OperationRow,
  asked: { principal: RemotePrincipal; requestHash: string; outcomes: Outcomes },
): string {
  if (earlier.requestHash !== asked.requestHash) throw new AppError('idempotency_conflict');
  if (asked.outcomes.isRunning(earlier)) throw new AppError('idempotency_in_flight');
  return asked.outcomes.settle(asked.principal, earlier);
}

function write(
  { store, clock, ids }: BackendService,
  commit: {
    kinds: ReadonlyMap<string, WriteKind>;
    principal: RemotePrincipal;
    request: CommitRequest;
    requestHash: string;
  },
): OperationRow {
  const { kinds, principal, request, requestHash } = commit;
  return store.transaction(() => {
    const nowMs = clock.nowMs();
    const approval = loadApproval(store, principal, request.approvalId);
    const kind = kinds.get(approval.kind);
    if (kind === undefined) throw new AppError('approval_invalid');
    const attempt = { store, nowMs, principal, request, approval, kind };
    for (const check of approvalChecks) check(attempt);
    kind.apply(principal, request.payload, store.operations.staged(approval.id));
    store.operations.useApproval(approval.id);
    const operation = {
      id: ids.id(),
      owner: principal.key,
      idempotencyKey: request.idempotencyKey,
      requestHash,
      kind: kind.name,
      target: approval.target,
      payload: approval.payload,
      committedAtMs: nowMs,
      answer: null,
    };
    store.operations.pruneOperations(principal.key, {
      committedBeforeMs: nowMs - operationRetentionMs,
      maxPerOwner: maxOperations - 1,
    });
    store.operations.addOperation(operation);
    return operation;
  });
}

const statuses = { all: 'completed', part: 'partial', none: 'not_stored' } as const;

type Outcomes = ReturnType<typeof createOutcomes>;

function createOutcomes({ store, clock }: BackendService, kinds: ReadonlyMap<string, WriteKind>) {
  const running = new Set<string>();
  return {
    isRunning: ({ id, answer }: OperationRow): boolean => answer === null && running.has(id),
    async during<T>({ id }: OperationRow, work: () => Promise<T>): Promise<T> {
      running.add(id);
      try {
        return await work();
      } finally {
        running.delete(id);
      }
    },
    /** Returns JSON text. After a crash the text contains the result of a new verification read. Fails with `storage_failed`. */
    settle(principal: RemotePrincipal, operation: OperationRow): string {
      if (operation.answer !== null) return operation.answer;
      const kind = kinds.get(operation.kind);
      if (kind === undefined) throw new Error(`Unknown kind of write: ${operation.kind}`);
      const payload = JSON.parse(operation.payload ?? '{}') as JsonObject;
      const answer = JSON.stringify(answerOf(operation, kind.verify(principal, payload), clock.nowMs()));
      store.transaction(() => store.operations.answer(operation.id, answer));
      return answer;
    },
  };
}

function answerOf(operation: OperationRow, { stored, data }: Verification, nowMs: number): JsonObject {
  const { id, idempotencyKey, kind, target, committedAtMs } = operation;
  return {
    operationId: id,
    idempotencyKey,
    kind,
    target,
    status: statuses[stored],
    committedAt: new Date(committedAtMs).toISOString(),
    verification: { ...data, stored: stored === 'all', verifiedAt: new Date(nowMs).toISOString() },
  };
}
