import { requirePermissions } from '../permissions.ts';
import type { Attempt } from './attempt.ts';

/** What could be prepared ten minutes ago may be forbidden now. Fails as `requirePermissions`. */
export function rejectForbidden({ store, principal, kind }: Attempt): void {
  requirePermissions(store.read, { principal, kind });
}
