import { mcpErrorCodes, metaKeys, metaPrefix, statelessVersion } from '#core/platform/mcp-envelope.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { invalidParams, rpcCodes, RpcError } from '../rpc-error.ts';
import { capabilitiesOf, type Method, methodOf } from '../session/methods.ts';
import { type McpServerOptions, type McpTasks, OtherAnswer, type Principal } from '../surface.ts';
import { declaresTasks, tasksExtension } from './envelope.ts';

const ofSessions = new Set(['ping', 'resources/subscribe', 'resources/unsubscribe', 'logging/setLevel']);

/** Methods whose results must tell how long they may be cached (MCP 2026-07-28, Caching). Ours are private and never cached. */
const cacheable = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

const uncached = { ttlMs: 0, cacheScope: 'private' };

/** The methods of revision 2026-07-28 except `subscriptions/listen`, with the members that this revision requires of results. */
export function createExchangeMethods<P extends Principal>(options: McpServerOptions<P>) {
  const { surface, info, instructions } = options;
  const identity = { [metaKeys.serverInfo]: info };

  const discover: Method = () => ({
    supportedVersions: [statelessVersion],
    capabilities: {
      ...capabilitiesOf(surface),
      resources: { listChanged: true },
      ...(surface.tasks === undefined ? {} : { extensions: { [tasksExtension]: {} } }),
    },
    instructions,
  });

  const withTask =
    (answer: (tasks: McpTasks<P>, principal: P, taskId: string) => JsonObject): Method =>
    ({ principal, params, context }) => {
      if (!declaresTasks(context.client?.capabilities ?? {})) throw missingTasks();
      const { taskId } = params;
      if (surface.tasks === undefined || typeof taskId !== 'string') throw unknownTask();
      // The call was made with a principal of this surface.
      return answer(surface.tasks, principal as unknown as P, taskId);
    };

  const own: Readonly<Record<string, Method>> = {
    'server/discover': discover,
    ...(surface.tasks === undefined
      ? {}
      : {
          'tasks/get': withTask((tasks, principal, taskId) => tasks.find(principal, taskId)),
          'tasks/cancel': withTask((tasks, principal, taskId) => {
            tasks.cancel(principal, taskId);
            return {};
          }),
          // Tasks of this server ask their clients nothing, so every answer is ignored.
          'tasks/update': withTask((tasks, principal, taskId) => {
            tasks.find(principal, taskId);
            return {};
          }),
        }),
  };

  return {
    find(name: string): Method | null {
      const method = Object.hasOwn(own, name)
        ? (own[name] ?? null)
        : ofSessions.has(name)
          ? null
          : methodOf(surface, name);
      return method === null ? null : asExchange(name, method, identity);
    },
  };
}

function missingTasks(): RpcError {
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } };
  const message = `The client must declare the extension ${tasksExtension}.`;
  return new RpcError(mcpErrorCodes.missingCapability, message, { requiredCapabilities });
}

function unknownTask(): RpcError {
  return invalidParams('There is no task of this id.');
}

function asExchange(name: string, method: Method, identity: JsonObject): Method {
  return async (asked) => {
    const params = withoutEnvelope(asked.params);
    const result = await withUri(name, params, () => method({ ...asked, params }));
    const { members } =
      result instanceof OtherAnswer ? result : { members: { ...result, resultType: 'complete' } };
    const { _meta: meta } = members as JsonObject;
    const cache = cacheable.has(name) && members['resultType'] === 'complete' ? uncached : {};
    return { ...members, ...cache, _meta: { ...(isJsonObject(meta) ? meta : {}), ...identity } };
  };
}

/** Removes the envelope from the params, so that the surface gets the params that a session would pass. */
function withoutEnvelope({ _meta: meta, ...params }: JsonObject): JsonObject {
  if (!isJsonObject(meta)) return params;
  const others = Object.entries(meta).filter(([key]) => !key.startsWith(metaPrefix));
  return others.length === 0 ? params : { ...params, _meta: Object.fromEntries(others) };
}

/** Reports an unknown resource as an invalid parameter with its address in `data`, as the revision requires (MCP, Resources). */
async function withUri<T>(name: string, { uri }: JsonObject, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (failure) {
    if (name !== 'resources/read' || !(failure instanceof AppError) || failure.code !== 'object_not_found') {
      throw failure;
    }
    const { code, status, message } = failure;
    throw new RpcError(rpcCodes.invalidParams, message, { code, status, uri });
  }
}
