import type { ApprovalRow, BackendStore } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RemotePrincipal } from '../../mcp/principal.ts';

/**
 * The approval, if it was given to this account, client and grant. Fails with `approval_invalid`: one that is absent and
 * one of somebody else, or of a grant that has ended, look the same.
 */
export function loadApproval(store: BackendStore, principal: RemotePrincipal, id: string): ApprovalRow {
  const approval = store.operations.approval(id);
  const isTheirs = approval?.owner === principal.key && approval.grantId === principal.grantId;
  if (approval === null || !isTheirs) throw new AppError('approval_invalid');
  return approval;
}
