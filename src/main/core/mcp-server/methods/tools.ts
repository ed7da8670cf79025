import { isJsonObject } from '#shared/lib/json/json-value.ts';
import { pageOf } from '../page.ts';
import { invalidParams } from '../rpc-error.ts';
import { textParam } from './asked.ts';
import type { Method } from './asked.ts';

/** `tools/list` (MCP, Tools): definitions as they are, every key of them. */
export const listTools: Method = ({ surface, principal, params, known }) => {
  const tools = surface.listTools(principal);
  const { page, ...next } = pageOf(tools, ({ name }) => name, params);
  known.saw('tools', principal);
  return { tools: page, ...next };
};

/** `tools/call`: arguments and result go through whole. */
export const callTool: Method = async ({ surface, principal, params, context }) => {
  const { arguments: args = {} } = params;
  if (!isJsonObject(args)) throw invalidParams('`arguments` must be an object.');
  return surface.callTool(principal, { name: textParam(params, 'name'), args }, context);
};
