import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { invalidParams, rpcCodes, RpcError } from '../rpc-error.ts';
import type { McpSurface, Principal } from '../surface.ts';
import { isLogLevel, type Method, pageOf, textParam } from './method.ts';

/** `tools/list` (MCP, Tools): definitions as they are, every key of them. */
const listTools: Method = ({ surface, principal, params, known }) => {
  const tools = surface.listTools(principal);
  const { page, ...next } = pageOf(tools, ({ name }) => name, params);
  known.saw('tools', principal);
  return { tools: page, ...next };
};

/** `tools/call`: arguments and result go through whole. */
const callTool: Method = async ({ surface, principal, params, context }) => {
  const { arguments: args = {} } = params;
  if (!isJsonObject(args)) throw invalidParams('`arguments` must be an object.');
  return surface.callTool(principal, { name: textParam(params, 'name'), args }, context);
};

/** `resources/list` (MCP, Resources). */
const listResources: Method = ({ surface, principal, params, known }) => {
  const { page, ...next } = pageOf(surface.listResources(principal), ({ uri }) => uri, params);
  known.saw('resources', principal);
  return { resources: page, ...next };
};

/** `resources/templates/list`. */
const listResourceTemplates: Method = ({ surface, principal, params }) => {
  const templates = surface.listResourceTemplates(principal);
  const { page, ...next } = pageOf(templates, ({ uriTemplate }) => uriTemplate, params);
  return { resourceTemplates: page, ...next };
};

/** `resources/read`. */
const readResource: Method = async ({ surface, principal, params, context }) => {
  const read = await surface.readResource(principal, textParam(params, 'uri'), context);
  return Array.isArray(read) ? { contents: read } : { ...read };
};

/**
 * `resources/subscribe`: only to readable resources, so that a subscription reveals nothing about those of others.
 */
const subscribe: Method = async ({ surface, principal, params, context, settings, maxSubscriptions }) => {
  const uri = textParam(params, 'uri');
  await surface.readResource(principal, uri, context);
  settings.subscriptions.add(uri);
  if (settings.subscriptions.size <= maxSubscriptions) return {};
  settings.subscriptions.delete(uri);
  throw new AppError('quota_exceeded', { message: 'This session has too many subscriptions.' });
};

/** `resources/unsubscribe`. */
const unsubscribe: Method = ({ params, settings }) => {
  settings.subscriptions.delete(textParam(params, 'uri'));
  return {};
};

/** `prompts/list` (MCP, Prompts). */
const listPrompts: Method = ({ surface, principal, params, known }) => {
  const { page, ...next } = pageOf(surface.listPrompts(principal), ({ name }) => name, params);
  known.saw('prompts', principal);
  return { prompts: page, ...next };
};

/** `prompts/get`: arguments are texts. */
const getPrompt: Method = async ({ surface, principal, params, context }) => {
  const { arguments: args = {} } = params;
  if (!areTexts(args)) throw invalidParams('`arguments` must be an object of texts.');
  return surface.getPrompt(principal, { name: textParam(params, 'name'), args }, context);
};

/** `completion/complete` (MCP, Completion). */
const complete: Method = async ({ surface, principal, params }) => {
  if (surface.complete === undefined) throw new RpcError(rpcCodes.methodNotFound, 'Method not found');
  return surface.complete(principal, params);
};

function areTexts(args: JsonValue): args is Record<string, string> {
  return isJsonObject(args) && Object.values(args).every((value) => typeof value === 'string');
}

/** `ping`. */
const ping: Method = () => ({});

/** `logging/setLevel` (MCP, Logging). */
const setLogLevel: Method = ({ params: { level }, settings }) => {
  if (!isLogLevel(level)) throw invalidParams('`level` is none of the levels of MCP.');
  settings.logLevel = level;
  return {};
};

/** Every method but `initialize`, which is the SDK's. */
const methods: Readonly<Record<string, Method>> = {
  ping,
  'tools/list': listTools,
  'tools/call': callTool,
  'resources/list': listResources,
  'resources/templates/list': listResourceTemplates,
  'resources/read': readResource,
  'resources/subscribe': subscribe,
  'resources/unsubscribe': unsubscribe,
  'prompts/list': listPrompts,
  'prompts/get': getPrompt,
  'completion/complete': complete,
  'logging/setLevel': setLogLevel,
};

/** Methods that need a capability which the server declares. */
const capabilityOf: Readonly<Record<string, keyof McpSurface<Principal>['capabilities']>> = {
  'resources/subscribe': 'subscribe',
  'resources/unsubscribe': 'subscribe',
  'completion/complete': 'completions',
  'logging/setLevel': 'logging',
};

/** Returns the implementation of this method, or null. */
export function methodOf<P extends Principal>(surface: McpSurface<P>, name: string): Method | null {
  if (!Object.hasOwn(methods, name)) return null;
  const capability = capabilityOf[name];
  if (capability !== undefined && surface.capabilities[capability] !== true) return null;
  return methods[name] ?? null;
}
