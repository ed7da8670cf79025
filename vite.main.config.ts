import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { licenceList } from './scripts/lib/notices.ts';
import { updateSourceOf } from './src/main/electron/updates/update-source.ts';

/**
 * Leaves out what electron-store would do besides storing: open an IPC channel that tells any page where the data folder is, and
 * send the process each signal again, which would end it before the core's write. Given a folder, it needs no Electron.
 */
export const storeOnly: Plugin = {
  name: 'store-only',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^(?:electron|when-exit)$/ },
    handler(id, importer) {
      if (id === 'when-exit') return '\0no-exit-handlers';
      return /node_modules[\\/]electron-store[\\/]/.test(importer ?? '') ? '\0no-electron' : null;
    },
  },
  load: {
    filter: { id: /^\0no-(?:electron|exit-handlers)$/ },
    handler: (id) => (id === '\0no-electron' ? 'export default {};' : 'export default () => {};'),
  },
};

/**
 * How an entry of Electron's main process is built: a CommonJS file with all that a start needs. Electron loads such a file before
 * the app is ready, whichever way it was started; an ES module may come too late to declare the scheme of the pages.
 */
export const mainConfig = (entry: string) =>
  ({
    define: { COUNTERSIGN_UPDATE_SOURCE: JSON.stringify(updateSourceOf(process.env)) },
    plugins: [storeOnly],
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
