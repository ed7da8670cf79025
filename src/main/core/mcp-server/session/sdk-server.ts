import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CancelledNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { RequestId } from '../message.ts';
import type { McpServerOptions } from '../mcp-server.ts';
import type { McpSurface, Principal } from '../surface.ts';

/**
 * The SDK's side of one session: it initializes, reads notifications, and matches answers with what was asked of the client.
 * Every other request is answered beside it, so that no schema of the SDK drops a key on its way.
 */
export function createSdkServer<P extends Principal>(
  { info, instructions, surface }: McpServerOptions<P>,
  cancel: (id: RequestId) => void,
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
