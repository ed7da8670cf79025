import { build } from 'vite';

/** Where the bundles are: `test-main.cjs`, and `test-core.js` with its chunks. */
export const hostBundles = new URL('../../.output/desktop-host/', import.meta.url).pathname;

/** Bundles the test entry of the main process and the core that may kill itself: vitest's set-up of the projects that use them. */
export async function setup(): Promise<void> {
  // The test runtime does not wait for a module as Electron does: the entry has to be there before it is ready.
  await bundle({ entry: './main.ts', format: 'cjs', name: 'test-main.cjs' });
  await bundle({ entry: './core.ts', format: 'es', name: 'test-core.js' });
}

interface Bundle {
  entry: string;
  format: 'cjs' | 'es';
  name: string;
}

async function bundle({ entry, format, name }: Bundle): Promise<void> {
  const external = ['electron', 'better-sqlite3'];
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      target: 'node20',
      outDir: hostBundles,
      emptyOutDir: false,
      rolldownOptions: {
        input: new URL(entry, import.meta.url).pathname,
        external,
        output: { format, entryFileNames: name, chunkFileNames: 'test-chunks/[name]-[hash].js' },
      },
    },
  });
}
