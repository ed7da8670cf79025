import { randomBytes } from 'node:crypto';
import { composeCore } from '#core/compose/compose.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { builtPages } from '#headless/browser-host/built-pages.ts';
import { serveCore } from '#headless/browser-host/serve-core.ts';
import { createDisplayController } from '#headless/browser-host/confirm-origin.ts';

/**
 * Runs the browser host with a core that allows live profiles, which otherwise only the desktop's core does. Prints the
 * address of its page.
 */
async function run(dataFolder: string, rendererFolder: string): Promise<void> {
  const ids = createIds(() => clock.nowMs());
  const controller = createDisplayController({ ids, clock });
  const core = await composeCore({
    dataFolder,
    host: 'desktop',
    version: '0.0.0',
    confirmer: controller.confirmer,
    dataKey: randomBytes(32),
    demoCampaigns: 50,
  });
  const ports = { app: 0, confirm: 0 };
  const served = await serveCore({
    place: 'work',
    core,
    hostRoutes: { routes: () => [], close: () => undefined },
    controller,
    pages: builtPages(rendererFolder),
    ports,
    clock,
    ids,
    logger,
  });
  process.once('SIGTERM', () => {
    void served.dispose().then(() => core.dispose());
  });
  process.stdout.write(`${served.address()}\n`);
}

await run(process.argv[2] ?? '', process.argv[3] ?? '');
