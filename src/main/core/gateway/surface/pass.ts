import type { CallContext } from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { CallProgress, RemoteClient } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** News of progress that comes sooner after the last one is left out: a service that floods fills nobody's stream. */
const progressSpacingMs = 50;

/**
 * Passes a call that changes nothing on to the service, and its answer back whole. Fails as the client does, but for a lost
 * answer: of a read nothing is left open.
 */
export async function passCall(
  remote: RemoteClient,
  { name, args }: { name: string; args: JsonObject },
  { context, clock }: { context: CallContext; clock: Clock },
): Promise<JsonObject> {
  const { signal, wantsProgress } = context;
  const onProgress = progressTo(context, clock);
  try {
    return await remote.callTool(name, args, { signal, ...(wantsProgress ? { onProgress } : {}) });
  } catch (failure) {
    const isLost = failure instanceof AppError && failure.code === 'outcome_unknown';
    throw isLost && failure.cause instanceof AppError ? failure.cause : failure;
  }
}

function progressTo({ progress }: CallContext, clock: Clock) {
  let toldAtMs = Number.NEGATIVE_INFINITY;
  return ({ progress: made, total, message }: CallProgress): void => {
    const nowMs = clock.monotonicMs();
    if (nowMs - toldAtMs < progressSpacingMs) return;
    toldAtMs = nowMs;
    void progress(made, total ?? undefined, message ?? undefined);
  };
}
