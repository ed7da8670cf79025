import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { mostAnswerBytes } from '../read-text.ts';
import { unreadable } from './message.ts';

/** A list with more pages than this has no end that anyone waits for. */
const mostPages = 1_000;

/**
 * Every item of a list, page after page to the last one, each whole. Fails with `protocol_failed` where the pages have no end
 * (a cursor that comes again, too many pages, more text than the largest answer), and with `service_answer_unreadable`.
 */
export async function readPages(
  member: string,
  page: (params: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject[]> {
  const read: JsonObject[][] = [];
  const seen = new Set<string>();
  let params: JsonObject = {};
  let size = 0;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const result = await page(params);
    const found = result[member];
    if (!Array.isArray(found) || !found.every(isJsonObject)) {
      throw unreadable(`Its \`${member}\` is no list of objects.`);
    }
    read.push(found);
    size += JSON.stringify(found).length;
    const cursor = result['nextCursor'] ?? null;
    if (cursor === null) return read.flat();
    if (typeof cursor !== 'string') throw unreadable('Its `nextCursor` is no text.');
    if (seen.has(cursor) || size > mostAnswerBytes) break;
    seen.add(cursor);
    params = { cursor };
  }
  throw new AppError('protocol_failed', {
    message: `The service’s list of ${member} has no end.`,
  });
}
