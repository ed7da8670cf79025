import { defineConfig } from 'electron-vite';
import { rendererConfig } from './vite.renderer.config.ts';

/**
 * The build: `out/main/countersign.js`, the command and its core, and `out/renderer`, the pages.
 * Packages under `dependencies` stay outside the bundle, as electron-vite does by default: they are loaded from node_modules.
 */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      sourcemap: true,
      rolldownOptions: {
        input: { countersign: 'src/main/headless/index.ts' },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  renderer: {
    ...rendererConfig,
    build: { ...rendererConfig.build, outDir: 'out/renderer' },
  },
});
