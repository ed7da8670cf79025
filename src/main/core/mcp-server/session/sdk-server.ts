import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CancelledNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { MethodResult } from '../methods/asked.ts';
import type { RequestId } from '../message.ts';
import type { McpServerOptions } from '../mcp-server.ts';
import type { McpSurface, Principal } from '../surface.ts';

/** Who answers what the SDK has taken apart. */
interface Handlers {
  answer(request: { id: RequestId; method: string }, closeStream: () => void): Promise<MethodResult>;
  cancel(id: RequestId): void;
}

/**
 * The SDK's side of one session: it initializes, and matches answers with questions both ways. Every other method falls
 * back to one handler, so that no schema of the SDK drops a key on its way.
 */
export function createSdkServer<P extends Principal>(
  { info, instructions, surface }: McpServerOptions<P>,
  { answer, cancel }: Handlers,
): Server {
  const capabilities = capabilitiesOf(surface);
  // Without one of its own each session would make an Ajv, for a kind of question that is not asked through it.
  const jsonSchemaValidator = { getValidator: noValidator };
  const server = new Server(info, {
    capabilities,
    instructions,
    jsonSchemaValidator,
    enforceStrictCapabilities: true,
  });
  for (const method of ['ping', 'logging/setLevel']) server.removeRequestHandler(method);
  server.fallbackRequestHandler = async (request, extra) => answer(request, () => extra.closeSSEStream?.());
  server.setNotificationHandler(CancelledNotificationSchema, ({ params: { requestId } }) => {
    if (requestId !== undefined) cancel(requestId);
  });
  // `onerror` stays unset: it reports answers that nobody waits for any more, and its texts may hold arguments.
  return server;
}

function capabilitiesOf<P extends Principal>({ capabilities }: McpSurface<P>): ServerCapabilities {
  const { subscribe = false, completions = false, logging = false } = capabilities;
  return {
    tools: { listChanged: true },
    resources: { listChanged: true, ...(subscribe ? { subscribe } : {}) },
    prompts: { listChanged: true },
    ...(completions ? { completions: {} } : {}),
    ...(logging ? { logging: {} } : {}),
  };
}

function noValidator(): never {
  throw new Error('Questions to the client are not validated here');
}
