import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '#shared/errors/index.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/**
 * A JSON value that leaves as this very text: what was approved is what is sent, byte for byte. Reading and writing it again
 * would move keys that look like integers.
 */
export class ExactJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Ordinary serialisation would write other bytes. */
  toJSON(): never {
    throw new Error('An exact text is written as it is');
  }
}

/** An answer came, so whatever was asked may have been carried out. */
export function unreadable(what: Sentence, cause?: unknown): AppError {
  return new AppError('service_answer_unreadable', {
    message: sentence`The service gave an answer that cannot be read. ${ownWords(what)}`,
    data: { sent: true },
    cause,
  });
}

/** The id of the request that a message cancels. */
export function cancelledRequest(message: JSONRPCMessage): string | null {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return null;
  return String(message.params?.['requestId']);
}

/** True for a call whose arguments were approved as an exact text: a write. */
export function isExactCall(message: JSONRPCMessage): boolean {
  return 'method' in message && message.params?.['arguments'] instanceof ExactJson;
}

/** The text of a message as it is sent: exact arguments of a call stand in it as they are. */
export function messageText(message: JSONRPCMessage): string {
  if (!('method' in message) || message.params === undefined) return JSON.stringify(message);
  const { params, ...envelope } = message;
  const { arguments: args, ...rest } = params;
  if (!(args instanceof ExactJson)) return JSON.stringify(message);
  const paramsText = withMember(JSON.stringify(rest), 'arguments', args.text);
  return withMember(JSON.stringify(envelope), 'params', paramsText);
}

function withMember(objectText: string, key: string, valueText: string): string {
  const separator = objectText === '{}' ? '' : ',';
  return `${objectText.slice(0, -1)}${separator}${JSON.stringify(key)}:${valueText}}`;
}
