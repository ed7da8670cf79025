import { z } from 'zod';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { OperationRow } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { defineTool } from '../remote-call/tool.ts';
import type { RemoteTool, ToolAnswer } from '../remote-call/tool.ts';
import type { BackendService } from '../service.ts';
import { argumentsInvalid } from '../remote-call/arguments.ts';
import { commitInput, commitRequestOf, idempotencyKey } from './commit-checks.ts';
import { createCommitter } from './commit.ts';
import type { Committer } from './commit.ts';
import { type PreparesWrites, prepareTool, prepareWrite } from './prepare.ts';
import { writeScopes } from './write-kind.ts';
import type { WriteKind } from './write-kind.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** Prepare and commit: approvals, fingerprints, idempotency and the verification read (contract §4.3). */
export interface Operations extends PreparesWrites {
  /** The tools that prepare the kinds, `svc_commit` and `svc_get_operation`. */
  tools: readonly RemoteTool[];
}

/** Puts the kinds of writes behind approvals. */
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

/** `svc_commit` (contract §4.3, steps 3 to 6). */
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
    // A campaign may hold what looks like one, and anything but the prepared payload is refused.
    givenHere: ['payload'],
    output: answerShape,
    run: async (principal, args) => answered(await committer.commit(principal, commitRequestOf(args))),
  });
}

/** `svc_get_operation`: the outcome of a commit, for a client that lost its answer. */
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
      const operation = find(args, {
        byId: (id) => store.operations.operation(principal.key, id),
        byKey: (key) => store.operations.operationByKey(principal.key, key),
      });
      if (operation === null) throw new AppError('object_not_found');
      if (outcomes.isRunning(operation)) return { data: inFlight(operation) };
      return answered(outcomes.settle(principal, operation));
    },
  });
}

function find(
  {
    operationId,
    idempotencyKey: key,
  }: { operationId?: string | undefined; idempotencyKey?: string | undefined },
  by: { byId(id: string): OperationRow | null; byKey(key: string): OperationRow | null },
): OperationRow | null {
  if (operationId !== undefined && key === undefined) return by.byId(operationId);
  if (key !== undefined && operationId === undefined) return by.byKey(key);
  const message = sentence`Give either operationId or idempotencyKey.`;
  throw argumentsInvalid([{ field: 'operationId', code: 'required', message }]);
}

function answered(dataText: string): ToolAnswer {
  return { data: JSON.parse(dataText) as JsonObject, dataText };
}

function inFlight({ id, idempotencyKey: key, kind, target, committedAtMs }: OperationRow): JsonObject {
  const committedAt = new Date(committedAtMs).toISOString();
  return { operationId: id, idempotencyKey: key, kind, target, status: 'in_flight', committedAt };
}
