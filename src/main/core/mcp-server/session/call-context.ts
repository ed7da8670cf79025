import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { type LoggingLevel, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { isHeard, isLogLevel } from '../methods/method.ts';
import type { CallContext, Principal } from '../surface.ts';
import type { Call } from './call.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** The parts by which a call reports to its client before its answer. */
interface CallLine {
  server: Server;
  sessionId: string;
  /** Null if this server does not log to its clients. */
  logLevel: () => LoggingLevel | null;
  closeStream: () => void;
}

/** A person may have to answer at the other end. */
const askTimeoutMs = 10 * 60_000;

/** All notifications of a call go over the stream that answers it, and none after it is settled. */
export function createCallContext<P extends Principal>(call: Call<P>, line: CallLine): CallContext {
  const meta = call.params['_meta'];
  const progressToken = isJsonObject(meta) ? meta['progressToken'] : undefined;
  let latest = Number.NEGATIVE_INFINITY;
  const notify = async (method: string, params: object): Promise<void> => {
    if (call.isSettled || call.isGivenUp) return;
    const notification = { method, params: { ...params } };
    // A client that disconnected misses it; the call learns of that by its signal.
    await line.server.notification(notification, { relatedRequestId: call.id }).catch(() => {});
  };
  return {
    get signal() {
      return call.signal;
    },
    get isEnding() {
      return call.isEnding;
    },
    sessionId: line.sessionId,
    wantsProgress: progressToken !== undefined,
    async progress(progress, total, message) {
      if (progressToken === undefined || !(progress > latest)) return;
      latest = progress;
      const details = {
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      };
      await notify('notifications/progress', { progressToken, progress, ...details });
    },
    async log(level, data, logger) {
      const wanted = line.logLevel();
      if (wanted === null || !isLogLevel(level) || !isHeard(level, wanted)) return;
      await notify('notifications/message', { level, data, ...(logger === undefined ? {} : { logger }) });
    },
    ask: (method, params) => ask(call, line.server, { method, params }),
    closeStream: line.closeStream,
  };
}

async function ask<P extends Principal>(
  { id, signal }: Call<P>,
  server: Server,
  question: { method: string; params: JsonObject },
): Promise<JsonObject> {
  try {
    const options = { relatedRequestId: id, signal, timeout: askTimeoutMs };
    return (await server.request(question, ResultSchema, options)) as JsonObject;
  } catch (cause) {
    throw new AppError('client_unable', {
      message: sentence`The client did not answer ${ownWords(question.method)}.`,
      cause,
    });
  }
}
