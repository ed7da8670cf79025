import { rmSync } from 'node:fs';
import type { Clock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { builtPages } from '#headless/browser-host/built-pages.ts';
import { serveCore, type ServedCore } from '#headless/browser-host/serve-core.ts';
import type { HostRoutes } from '#headless/browser-host/app-origin.ts';
import { createDisplayController } from '#headless/browser-host/confirm-origin.ts';
import { createFakeCore, type FakeCore } from './fake-core.ts';
import { page, readAddress, type PageClient } from './page.ts';
import { makePages } from './pages.ts';

export interface Served extends ServedCore {
  core: FakeCore;
  /** Advances the host's clock. */
  pass(milliseconds: number): void;
  /** Returns a page of the app that has exchanged its ticket. */
  signIn(): Promise<PageClient>;
}

const noRoutes: HostRoutes = { routes: () => [], close: () => undefined };

/** Serves both origins with a fake core and a build of three small files. */
export async function serveFakeCore(hostRoutes: HostRoutes = noRoutes): Promise<Served> {
  const folder = makePages();
  let nowMs = 1_000_000;
  const clock: Clock = { nowMs: () => nowMs, monotonicMs: () => nowMs, after: () => () => {} };
  const ids = createIds(() => nowMs);
  const controller = createDisplayController({ ids, clock });
  const core = createFakeCore(controller.confirmer);
  const served = await serveCore({
    place: 'work',
    core,
    hostRoutes,
    controller,
    pages: builtPages(folder),
    ports: { app: 0, confirm: 0 },
    clock,
    ids,
    logger: silentLogger,
  });
  return {
    ...served,
    core,
    pass: (milliseconds) => void (nowMs += milliseconds),
    async signIn() {
      const { origin, ticket } = readAddress(served.address());
      const { body } = await page(origin).post('/session', { ticket });
      return page(origin, body.secret);
    },
    async dispose() {
      await served.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}
