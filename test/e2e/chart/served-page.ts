import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'vite';
import { rendererConfig } from '../../../vite.renderer.config.ts';
import { contentPolicy, mediaType } from '#shared/host-api/pages.ts';

/** A page with components of the app, built as the app is and served with its policy. */
export interface ServedPage {
  /** Returns the page's URL with this query, which names the scene. */
  url(query: string): string;
  close(): Promise<void>;
}

/** Builds the page of a folder (index.html) into `outDir` and serves it on the loopback interface. The caller closes it. */
export async function servePage(root: string, outDir: string): Promise<ServedPage> {
  const { minify, assetsInlineLimit, modulePreload } = rendererConfig.build;
  const { NODE_ENV } = process.env;
  // The test runner sets another value, with which React would be its development build.
  process.env['NODE_ENV'] = 'production';
  try {
    await build({
      configFile: false,
      logLevel: 'error',
      root,
      plugins: rendererConfig.plugins,
      css: rendererConfig.css,
      build: {
        outDir,
        emptyOutDir: true,
        minify,
        assetsInlineLimit,
        modulePreload,
        // The entry has another name than the app's page, because the build forbids schemas in the app's page.
        rolldownOptions: { input: { page: join(root, 'index.html') } },
      },
    });
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = join(outDir, path === '/' ? 'index.html' : path);
    response.setHeader('content-security-policy', contentPolicy("'none'").join('; '));
    readFile(file).then(
      (bytes) => response.setHeader('content-type', mediaType(file)).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (query) => `http://127.0.0.1:${port}/?${query}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
