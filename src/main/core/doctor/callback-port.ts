import type { Logger } from '#core/platform/logger.ts';
import { openLoopbackListener } from '#core/platform/loopback/index.ts';
import { AppError } from '#shared/errors/index.ts';

/** Whether the port of a registered redirect URI could be listened on now: it is, for a moment, and refuses everything. */
export async function isPortFree(redirectUri: string, logger: Logger): Promise<boolean> {
  const port = Number(URL.parse(redirectUri)?.port ?? '');
  if (port === 0) return true;
  try {
    const listener = await openLoopbackListener({
      port,
      logger,
      handler: () => {
        throw new AppError('not_found');
      },
    });
    await listener.dispose();
    return true;
  } catch {
    return false;
  }
}
