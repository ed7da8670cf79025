import type { CallContext } from '#core/mcp-server/index.ts';
import type { RemoteClient } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/**
 * Passes a call that changes nothing on to the service, and its answer back whole. Fails as the client does, but for a lost
 * answer: of a read nothing is left open.
 */
export async function passCall(
  remote: RemoteClient,
  { name, args }: { name: string; args: JsonObject },
  { signal, wantsProgress, progress }: CallContext,
): Promise<JsonObject> {
  try {
    return await remote.callTool(name, args, {
      signal,
      ...(wantsProgress
        ? {
            onProgress: ({ progress: made, total, message }) =>
              void progress(made, total ?? undefined, message ?? undefined),
          }
        : {}),
    });
  } catch (failure) {
    const isLost = failure instanceof AppError && failure.code === 'outcome_unknown';
    throw isLost && failure.cause instanceof AppError ? failure.cause : failure;
  }
}
