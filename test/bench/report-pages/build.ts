import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';

/** A program of this folder, bundled as it would ship, together with the report worker. */
export interface BuiltProgram {
  file: string;
  dispose(): Promise<void>;
}

/** Bundles `name`.ts of this folder. The caller disposes. */
export async function buildProgram(name: 'measure' | 'host'): Promise<BuiltProgram> {
  const folder = join(projectRoot, `node_modules/.cache/bench-report-pages-${name}`);
  await build({
    configFile: false,
    root: projectRoot,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      target: 'node24',
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: {
          [name]: fileURLToPath(new URL(`${name}.ts`, import.meta.url)),
          'report-worker': 'src/main/core/reports/worker/report-worker.ts',
        },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
  const pictures = join(projectRoot, 'src/main/core/backend/demo-data/pictures');
  await cp(pictures, join(folder, 'demo-pictures'), { recursive: true });
  return {
    file: join(folder, `${name}.js`),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
