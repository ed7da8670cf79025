import type { OperationRow } from '#core/store/backend/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { RemotePrincipal } from '../remote-call/principal.ts';
import type { BackendService } from '../service.ts';
import type { Verification, WriteKind } from './write-kind.ts';

/** Outcomes of committed operations. */
export interface Outcomes {
  /** True if this process is still about to verify it. */
  isRunning(operation: OperationRow): boolean;
  /** Keeps the operation running while the work lasts. */
  during<T>(operation: OperationRow, work: () => Promise<T>): Promise<T>;
  /**
   * The stored answer as JSON text; where a crash came before it, the verification read is done now and its result is
   * stored. Fails with `storage_failed`; then it can be asked for again.
   */
  settle(principal: RemotePrincipal, operation: OperationRow): string;
}

const statuses = { all: 'completed', part: 'partial', none: 'not_stored' } as const;

/** Makes the outcomes of these kinds. */
export function createOutcomes(
  { store, clock }: BackendService,
  kinds: ReadonlyMap<string, WriteKind>,
): Outcomes {
  const running = new Set<string>();
  return {
    isRunning: ({ id, answer }) => answer === null && running.has(id),
    async during({ id }, work) {
      running.add(id);
      try {
        return await work();
      } finally {
        running.delete(id);
      }
    },
    settle(principal, operation) {
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
