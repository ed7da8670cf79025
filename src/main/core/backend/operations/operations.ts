import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { RemotePrincipal } from '../mcp/principal.ts';
import type { RemoteTool } from '../mcp/tool.ts';
import type { BackendService } from '../service.ts';
import { createCommitter } from './commit.ts';
import { commitTool, getOperationTool } from './operation-tools.ts';
import { prepareTool } from './prepare-tool.ts';
import { prepareWrite } from './prepare.ts';
import type { WriteKind } from './write-kind.ts';

/** Prepare and commit: approvals, fingerprints, idempotency and the verification read (contract §4.3). */
export interface Operations {
  /** The tools that prepare the kinds, `svc_commit` and `svc_get_operation`. */
  tools: readonly RemoteTool[];
  /**
   * Makes an approval for a write of this kind; what a `svc_prepare_…` tool answers as `data`. It lasts ten minutes, or as
   * long as `validForMs` says.
   */
  prepare(
    principal: RemotePrincipal,
    asked: { kind: string; args: JsonObject; validForMs?: number },
  ): JsonObject;
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
      if (kind === undefined) throw new Error(`Nobody knows writes of the kind ${name}`);
      return prepareWrite(service, { principal, kind, ...asked });
    },
  };
}
