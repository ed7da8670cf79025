/**
 * `npm run dev`: the browser host on the Demo profile with pages served by vite, so that saved changes appear immediately. The
 * host fetches every page and script from vite; hot updates reach the pages from vite directly.
 */
import { createServer, type Plugin } from 'vite';
import { freePort } from './lib/free-port.ts';
import { runAttached } from './lib/run-attached.ts';
import { rendererConfig } from '../vite.renderer.config.ts';

const host = '127.0.0.1';

/** Path of vite's files, so that sources in `src/renderer/api` do not look like requests to the app API. */
const base = '/dev/';

const pagesUnderBase: Plugin = {
  name: 'countersign:pages-under-base',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (/^\/\w+\.html$/.test(request.url ?? '')) request.url = base + (request.url ?? '').slice(1);
      next();
    });
  },
};

const port = await freePort();
const vite = await createServer({
  ...rendererConfig,
  base,
  plugins: [...rendererConfig.plugins, pagesUnderBase],
  configFile: false,
  clearScreen: false,
  // Pages are served by the host on other ports, so they need vite's own address for hot updates.
  server: { host, port, strictPort: true, hmr: { host, clientPort: port } },
});
try {
  await vite.listen();
  const args = ['--renderer-url', `http://${host}:${port}`, ...process.argv.slice(2)];
  process.exitCode = await runAttached('src/main/headless/dev.ts', args);
} finally {
  await vite.close();
}
