import type { ApprovalRow, BackendStore } from '#core/store/backend/index.ts';
import type { RemotePrincipal } from '../../mcp/principal.ts';
import type { CommitRequest } from '../commit-arguments.ts';
import type { WriteKind } from '../write-kind.ts';

/** A commit on its way, with the approval that it names. */
export interface Attempt {
  store: BackendStore;
  nowMs: number;
  principal: RemotePrincipal;
  request: CommitRequest;
  approval: ApprovalRow;
  kind: WriteKind;
}
