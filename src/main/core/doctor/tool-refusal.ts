import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { Meaning } from './meaning.ts';
import { quote } from './words.ts';

/** What a tool’s result means that is an error; null where it is none. */
export function toolRefusal(result: JsonObject): (Meaning & { words: string }) | null {
  if (result['isError'] !== true) return null;
  const content = result['structuredContent'];
  const error = isJsonObject(content) ? content['error'] : null;
  const message = isJsonObject(error) ? error['message'] : firstText(result);
  const status = isJsonObject(error) ? error['statusCode'] : null;
  const words = typeof message === 'string' ? quote(message) : 'without a word';
  if (status === 403) {
    return {
      words,
      means: 'The account may not use this tool: its role, its modules or a policy forbids it.',
      remedy: 'Ask the operator which modules this account should have.',
    };
  }
  return {
    words,
    means: 'The service ran the tool and says that it failed.',
    remedy: 'Send this report to the operator of the service.',
  };
}

function firstText(result: JsonObject): unknown {
  const { content } = result;
  const [first] = Array.isArray(content) ? content : [];
  return isJsonObject(first) ? first['text'] : null;
}
