import type { Logger } from '#core/platform/logger.ts';
import { runTransaction, type Database } from '../sqlite/index.ts';

/** Groups writes, and holds back what must only happen once they are on the disk. */
export interface Transactions {
  /**
   * All of the work or nothing, on the disk when it returns. Synchronous; inside another transaction it joins that one.
   * Fails with `storage_failed`.
   */
  transaction<T>(work: () => T): T;
  /**
   * Calls after the outermost transaction has committed, in order, and never after a rollback. What a call throws is
   * logged: the write is already acknowledged. Outside a transaction it is a bug and throws.
   */
  afterCommit(call: () => void): void;
  /** The same, before every call of `afterCommit`: nothing else begins a transaction until it has run. */
  rightAfterCommit(call: () => void): void;
  /** True while a transaction is open: what is read may still be rolled back. */
  inTransaction(): boolean;
}

/** Transactions over a connection. Each begins with `check`, which refuses it by failing. */
export function createTransactions(db: Database, logger: Logger, check: () => void): Transactions {
  let first: (() => void)[] = [];
  let waiting: (() => void)[] = [];

  function runWaiting(): void {
    const calls = [...first, ...waiting];
    first = [];
    waiting = [];
    for (const call of calls) {
      try {
        call();
      } catch (failure) {
        logger.error({ failure }, 'Something that follows a commit failed');
      }
    }
  }

  function assertInTransaction(): void {
    if (!db.inTransaction) throw new Error('afterCommit outside a transaction');
  }

  return {
    transaction(work) {
      const outermost = !db.inTransaction;
      if (outermost) check();
      const before = { first: first.length, waiting: waiting.length };
      let result;
      try {
        result = runTransaction(db, work);
      } catch (failure) {
        first.length = before.first;
        waiting.length = before.waiting;
        throw failure;
      }
      if (outermost) runWaiting();
      return result;
    },
    afterCommit(call) {
      assertInTransaction();
      waiting.push(call);
    },
    rightAfterCommit(call) {
      assertInTransaction();
      first.push(call);
    },
    inTransaction: () => db.inTransaction,
  };
}
