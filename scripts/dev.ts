/**
 * `npm run dev`: the browser host on the Demo profile with the pages served by vite, so that a saved file shows at once.
 * The host asks vite for every page and script; hot updates reach the pages from vite directly.
 */
import { createServer, type Plugin } from 'vite';
import { freePort } from './lib/free-port.ts';
import { runAttached } from './lib/run-attached.ts';
import { rendererConfig } from '../vite.renderer.config.ts';

const host = '127.0.0.1';

/** Where vite's files stand in addresses, so that sources under `src/renderer/api` do not pose as requests of the app API. */
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
  // The pages come through the host, on other ports: they need the address of vite itself.
  server: { host, port, strictPort: true, hmr: { host, clientPort: port } },
});
try {
  await vite.listen();
  const args = ['--renderer-url', `http://${host}:${port}`, ...process.argv.slice(2)];
  process.exitCode = await runAttached('src/main/headless/dev.ts', args);
} finally {
  await vite.close();
}
