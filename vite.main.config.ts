import { defineConfig, type UserConfig } from 'vite';
import { licenceList } from './scripts/lib/notices.ts';
import { updateSourceOf } from './src/main/electron/updates/update-source.ts';

/**
 * How an entry of Electron's main process is built: a CommonJS file with all that a start needs. Electron loads such a file before
 * the app is ready, whichever way it was started; an ES module may come too late to declare the scheme of the pages.
 */
export const mainConfig = (entry: string) =>
  ({
    define: { COUNTERSIGN_UPDATE_SOURCE: JSON.stringify(updateSourceOf(process.env)) },
    // Nothing is copied beside it, and only Electron itself stays outside.
    publicDir: false,
    ssr: { noExternal: true, external: ['electron'] },
    build: {
      ssr: true,
      target: 'node20',
      sourcemap: true,
      minify: false,
      emptyOutDir: false,
      outDir: 'out/main',
      // Not the name of the list beside it, which is the core's.
      license: { fileName: `index-${licenceList}` },
      rolldownOptions: {
        input: { index: entry },
        // What is imported on demand stays a file of its own: the updater, half of it all, is not read at each start.
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
      },
    },
  }) satisfies UserConfig;

export default defineConfig(mainConfig('src/main/index.ts'));
