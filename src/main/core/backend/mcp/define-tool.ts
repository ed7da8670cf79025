import type { z } from 'zod';
import type { CallContext } from '#core/mcp-server/index.ts';
import type { RemotePrincipal } from './principal.ts';
import type { RemoteTool, ToolAnswer } from './tool.ts';

/** A tool whose arguments have the type that its own schema gives. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<RemoteTool, 'input' | 'run'> & {
    input: Input;
    run(
      principal: RemotePrincipal,
      args: z.output<Input>,
      context: CallContext,
    ): ToolAnswer | Promise<ToolAnswer>;
  },
): RemoteTool {
  // Whoever runs a tool has read its arguments with `input`.
  return {
    ...tool,
    run: (principal, args, context) => tool.run(principal, args as z.output<Input>, context),
  };
}
