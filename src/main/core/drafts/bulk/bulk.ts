import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { AppHandlers } from '#shared/app-api/index.ts';
import { type BulkChangesOptions, createBulkChanges } from './bulk-changes.ts';
import { type BulkSessionOptions, createBulkSession } from './bulk-session.ts';

export interface BulkOptions extends BulkSessionOptions, Omit<BulkChangesOptions, 'session'> {}

/** Work on many campaigns at once (docs/write-path.md, "Bulk changes and files"). */
export interface Bulk extends AsyncDisposable {
  requests: Pick<AppHandlers, Extract<keyof AppHandlers, `bulk.${string}`>>;
}

export function createBulk(options: BulkOptions): Bulk {
  const session = createBulkSession(options);
  const changes = createBulkChanges({ ...options, session });
  return { requests: changes.requests, dispose: changes.dispose };
}
