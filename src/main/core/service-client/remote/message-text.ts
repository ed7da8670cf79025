import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ExactJson } from '../exact-json.ts';

/** The text of a message as it is sent: exact arguments of a call stand in it as they are. */
export function messageText(message: JSONRPCMessage): string {
  if (!('method' in message) || message.params === undefined) return JSON.stringify(message);
  const { params, ...envelope } = message;
  const { arguments: args, ...rest } = params;
  if (!(args instanceof ExactJson)) return JSON.stringify(message);
  const paramsText = withMember(JSON.stringify(rest), 'arguments', args.text);
  return withMember(JSON.stringify(envelope), 'params', paramsText);
}

/** The text of an object with one member more. */
function withMember(objectText: string, key: string, valueText: string): string {
  const separator = objectText === '{}' ? '' : ',';
  return `${objectText.slice(0, -1)}${separator}${JSON.stringify(key)}:${valueText}}`;
}
