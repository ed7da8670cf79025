import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { storeOnly } from '../../../vite.main.config.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with `test-main.cjs`, the test entry of the main process, and `test-core.js`, a core that may kill itself. */
    hostBundles: string;
  }
}

/**
 * Vitest's set-up of the projects that use the test entry. Bundles the entry into a folder for this run alone, because
 * parallel runs must not read files that another run is writing.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-host-'));
  // The test runtime does not wait for an ES module as Electron does, so the entry is CommonJS and loaded before
  // `ready`.
  await bundle({ entry: './main.ts', format: 'cjs', file: join(folder, 'test-main.cjs') });
  await bundle({ entry: './core.ts', format: 'es', file: join(folder, 'test-core.js') });
  project.provide('hostBundles', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

interface Bundle {
  entry: string;
  format: 'cjs' | 'es';
  file: string;
}

async function bundle({ entry, format, file }: Bundle): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [storeOnly],
    ssr: { noExternal: true, external: ['electron', 'better-sqlite3'] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: dirname(file),
      emptyOutDir: false,
      rolldownOptions: {
        input: fileURLToPath(new URL(entry, import.meta.url)),
        output: { format, entryFileNames: basename(file), codeSplitting: false },
      },
    },
  });
}
