import type { Logger } from '#core/platform/logger.ts';
import type { AppStore } from '#core/store/app/index.ts';

/** Maximum number of proposals withdrawn in one transaction: a larger one would block other work. */
const maxAtOnce = 20;

/** Withdraws the proposals of abandoned calls in few transactions, because a hundred calls may end at once. `takeBack` may fail. */
export function createAbandonedCalls(
  { store, logger }: { store: Pick<AppStore, 'transaction'>; logger: Logger },
  takeBack: (id: string) => void,
) {
  const left = new Set<string>();
  const stuck = new Set<string>();
  let due: NodeJS.Immediate | null = null;

  function some(): void {
    const ids = [...left].slice(0, maxAtOnce);
    for (const id of ids) left.delete(id);
    try {
      store.transaction(() => ids.forEach(takeBack));
    } catch {
      // A proposal that cannot be withdrawn must not keep the others.
      for (const id of ids) alone(id);
    }
  }

  function alone(id: string): void {
    try {
      takeBack(id);
    } catch (failure) {
      stuck.add(id);
      logger.error({ failure, proposal: id }, 'What an agent left could not be withdrawn');
    }
  }

  function lookLater(): void {
    if (left.size === 0) return;
    due ??= setImmediate(() => {
      due = null;
      some();
      lookLater();
    });
  }

  return {
    abandon(id: string): void {
      left.add(id);
      lookLater();
    },
    resume(id: string): void {
      left.delete(id);
      stuck.delete(id);
    },
    /** Withdraws all abandoned proposals now, and retries those that could not be withdrawn before. Never fails. */
    flush(): void {
      if (due !== null) clearImmediate(due);
      due = null;
      for (const id of stuck) left.add(id);
      stuck.clear();
      while (left.size > 0) some();
    },
  };
}

/**
 * Counts the open calls of each proposal. Calls with one idempotency key share a proposal. When a session ends, its proposals
 * are withdrawn even if they have a receipt.
 */
export function createOpenCalls() {
  const open = new Map<string, { calls: number; isSessionOver: boolean }>();
  return {
    has: (id: string): boolean => open.has(id),
    add(id: string): void {
      open.set(id, { calls: (open.get(id)?.calls ?? 0) + 1, isSessionOver: false });
    },
    release(id: string): boolean {
      const { calls, isSessionOver } = open.get(id) ?? { calls: 1, isSessionOver: false };
      if (calls > 1) open.set(id, { calls: calls - 1, isSessionOver });
      else open.delete(id);
      return isSessionOver;
    },
    forget: (id: string): void => void open.delete(id),
    move(id: string, successorId: string): void {
      const waiting = open.get(id);
      if (waiting === undefined) return;
      open.delete(id);
      open.set(successorId, waiting);
    },
    endSession(id: string): boolean {
      const waiting = open.get(id);
      if (waiting !== undefined) waiting.isSessionOver = true;
      return waiting !== undefined;
    },
  };
}
