import { z } from 'zod';
import type { RemoteTool } from '../mcp/tool.ts';
import type { BackendService } from '../service.ts';
import { requirementsOf } from './permissions.ts';
import { prepareWrite } from './prepare.ts';
import type { WriteKind } from './write-kind.ts';

const approval = z.strictObject({
  id: z.string(),
  fingerprint: z.string().describe('SHA-256 of what is approved; bring it back unchanged.'),
  expiresAt: z.string().describe('ISO 8601, UTC.'),
});

const diff = z.array(
  z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() }).describe('Plain values.'),
);

const howToGoOn =
  'Show diff and warnings to a person; only if that person agrees, call svc_commit with approval and payload unchanged.';

/** The tool that prepares one kind of write. */
export function prepareTool(service: BackendService, kind: WriteKind): RemoteTool {
  const { name, title, description, input, payload } = kind.tool;
  return {
    name,
    title,
    description: `${description} Changes nothing. ${howToGoOn}`,
    kind: 'prepare',
    ...requirementsOf(kind),
    input,
    output: z.strictObject({ approval, payload, diff, warnings: z.array(z.string()) }),
    run: (principal, args) => ({ data: prepareWrite(service, { principal, kind, args }) }),
  };
}
