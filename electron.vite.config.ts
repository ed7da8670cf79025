import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { licenceList } from './scripts/lib/notices.ts';
import { rendererConfig } from './vite.renderer.config.ts';

const pictureFolder = new URL('src/main/core/backend/demo-data/pictures/', import.meta.url);

/** Copies the pictures of the demo campaigns beside the core, which publishes them at its first start (demo-data/offers.ts). */
const demoPictures: Plugin = {
  name: 'demo-pictures',
  generateBundle() {
    for (const file of readdirSync(pictureFolder)) {
      const source = readFileSync(new URL(file, pictureFolder));
      this.emitFile({ type: 'asset', fileName: `demo-pictures/${file}`, source });
    }
  },
};

/** Leaves out what compiles schemas of routes: fastify names it in a function that the service never lets it call (http/create-app.ts). */
const noSchemaCompilers: Plugin = {
  name: 'no-schema-compilers',
  load: {
    filter: { id: /node_modules\/@fastify\/(?:ajv|fast-json-stringify)-compiler\/index\.js$/ },
    handler: () => 'export default null;',
  },
};

/** Each part lists what it contains, beside itself; the build joins the lists (scripts/lib/notices.ts). */
const license = { fileName: licenceList };

/**
 * The build: `out/main` with the core and the command as CommonJS (docs/decisions/0059), beside the app's entry
 * (vite.main.config.ts); `out/preload`, one closed file for each role of a page; `out/renderer`, the pages. Packages under `dependencies` stay
 * outside the bundle, as electron-vite does by default: they are loaded from node_modules.
 */
export default defineConfig({
  main: {
    plugins: [demoPictures, noSchemaCompilers],
    resolve: {
      // Koa brings the old depd beside the new one, which does the same without `eval`.
      alias: { depd: fileURLToPath(new URL('node_modules/depd/index.js', import.meta.url)) },
    },
    build: {
      outDir: 'out/main',
      sourcemap: true,
      license,
      rolldownOptions: {
        input: {
          core: 'src/main/core/index.ts',
          'training-core': 'src/main/core/training-core.ts',
          countersign: 'src/main/headless/index.ts',
          // Started by the core as threads of their own, in both (report-worker-client.ts, run-in-worker.ts).
          'report-worker': 'src/main/core/reports/worker/report-worker.ts',
          'bulk-worker': 'src/main/core/drafts/bulk/worker/bulk-worker.ts',
        },
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      license,
      // A sandboxed preload can load nothing: each is one file with everything in it but Electron's own.
      isolatedEntries: true,
      externalizeDeps: false,
      rolldownOptions: {
        input: {
          app: 'src/main/electron/preload/app.ts',
          confirm: 'src/main/electron/preload/confirm.ts',
        },
        // Preloads carry names, no schemas: what they do not use of shared code stays out, and zod with it.
        treeshake: { moduleSideEffects: [{ test: /src[\\/]shared[\\/]/, sideEffects: false }] },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    ...rendererConfig,
    build: { ...rendererConfig.build, outDir: 'out/renderer', license },
  },
});
