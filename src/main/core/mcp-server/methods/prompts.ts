import { isJsonObject } from '#shared/lib/json/json-value.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { pageOf } from '../page.ts';
import { invalidParams, RpcError, rpcCodes } from '../rpc-error.ts';
import { textParam } from './asked.ts';
import type { Method } from './asked.ts';

/** `prompts/list` (MCP, Prompts). */
export const listPrompts: Method = ({ surface, principal, params, known }) => {
  const { page, ...next } = pageOf(surface.listPrompts(principal), ({ name }) => name, params);
  known.saw('prompts', principal);
  return { prompts: page, ...next };
};

/** `prompts/get`: arguments are texts. */
export const getPrompt: Method = async ({ surface, principal, params, context }) => {
  const { arguments: args = {} } = params;
  if (!areTexts(args)) throw invalidParams('`arguments` must be an object of texts.');
  return surface.getPrompt(principal, { name: textParam(params, 'name'), args }, context);
};

/** `completion/complete` (MCP, Completion). */
export const complete: Method = async ({ surface, principal, params }) => {
  if (surface.complete === undefined) throw new RpcError(rpcCodes.methodNotFound, 'Method not found');
  return surface.complete(principal, params);
};

function areTexts(args: JsonValue): args is Record<string, string> {
  return isJsonObject(args) && Object.values(args).every((value) => typeof value === 'string');
}
