import { z } from 'zod';
import type { OperationRow } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { argumentsInvalid } from '../mcp/arguments.ts';
import { defineTool } from '../mcp/define-tool.ts';
import type { RemoteTool, ToolAnswer } from '../mcp/tool.ts';
import type { BackendService } from '../service.ts';
import { commitInput, commitRequestOf, idempotencyKey } from './commit-arguments.ts';
import type { Committer } from './commit.ts';
import { writeScopes } from './permissions.ts';
import type { WriteKind } from './write-kind.ts';

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
export function commitTool(committer: Committer, kinds: readonly WriteKind[]): RemoteTool {
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

/** `svc_get_operation`: how a commit ended, for whoever lost its answer. */
export function getOperationTool({ store }: BackendService, { outcomes }: Committer): RemoteTool {
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
  const message = 'Give either operationId or idempotencyKey.';
  throw argumentsInvalid([{ field: 'operationId', code: 'required', message }]);
}

function answered(dataText: string): ToolAnswer {
  return { data: JSON.parse(dataText) as JsonObject, dataText };
}

function inFlight({ id, idempotencyKey: key, kind, target, committedAtMs }: OperationRow): JsonObject {
  const committedAt = new Date(committedAtMs).toISOString();
  return { operationId: id, idempotencyKey: key, kind, target, status: 'in_flight', committedAt };
}
