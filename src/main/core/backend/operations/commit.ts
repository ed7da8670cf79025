import { setImmediate } from 'node:timers/promises';
import type { OperationRow } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RemotePrincipal } from '../remote-call/principal.ts';
import type { BackendService } from '../service.ts';
import { approvalChecks, loadApproval, requestHashOf, requireConfirmation } from './commit-checks.ts';
import type { CommitRequest } from './commit-checks.ts';
import { createOutcomes } from './outcomes.ts';
import type { Outcomes } from './outcomes.ts';
import type { WriteKind } from './write-kind.ts';

/** Time for which an operation is kept, with its idempotency key. */
const operationMs = 30 * 24 * 60 * 60 * 1000;

/** Maximum number of stored operations of one principal. */
const maxOperations = 2_000;

/** Commits what was prepared, once. */
export interface Committer {
  /**
   * The answer as JSON text. The same key and request get the same bytes again. Fails with what the checks say, and then
   * nothing is written and the key is free again.
   */
  commit(principal: RemotePrincipal, request: CommitRequest): Promise<string>;
  outcomes: Outcomes;
}

/** Makes the committer of these kinds. */
export function createCommitter(service: BackendService, kinds: ReadonlyMap<string, WriteKind>): Committer {
  const outcomes = createOutcomes(service, kinds);
  return {
    outcomes,
    async commit(principal, request) {
      const requestHash = requestHashOf(request);
      const earlier = service.store.operations.operationByKey(principal.key, request.idempotencyKey);
      if (earlier !== null) return answerAgain(earlier, { principal, requestHash, outcomes });
      requireConfirmation(request);
      const operation = write(service, { kinds, principal, request, requestHash });
      return outcomes.during(operation, async () => {
        // Others may write between a write and the read that verifies it, as at any service.
        await setImmediate();
        return outcomes.settle(principal, operation);
      });
    },
  };
}

/** One key, one write: nothing is written here. Fails with `idempotency_conflict` or `idempotency_in_flight`. */
function answerAgain(
  earlier: OperationRow,
  asked: { principal: RemotePrincipal; requestHash: string; outcomes: Outcomes },
): string {
  if (earlier.requestHash !== asked.requestHash) throw new AppError('idempotency_conflict');
  if (asked.outcomes.isRunning(earlier)) throw new AppError('idempotency_in_flight');
  return asked.outcomes.settle(asked.principal, earlier);
}

/** Checks everything again and writes, with the row that remembers it: both are on the disk, or neither. */
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
      committedBeforeMs: nowMs - operationMs,
      maxPerOwner: maxOperations - 1,
    });
    store.operations.addOperation(operation);
    return operation;
  });
}
