import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { mainConfig } from '../../../vite.main.config.ts';

/** Bundles the main script and the echo core into a folder: `main.cjs` and `echo-core.mjs`. */
export async function bundleCoreLinkTest(folder: string): Promise<void> {
  await bundle(folder, { entry: './main.ts', name: 'main.cjs', format: 'cjs' });
  await bundle(folder, { entry: './echo-core.ts', name: 'echo-core.mjs', format: 'es' });
}

interface Bundle {
  entry: string;
  name: string;
  format: 'cjs' | 'es';
}

async function bundle(outDir: string, { entry, name, format }: Bundle): Promise<void> {
  const config = mainConfig(fileURLToPath(new URL(entry, import.meta.url)));
  const rolldownOptions = {
    ...config.build.rolldownOptions,
    output: { format, entryFileNames: name, codeSplitting: false },
  };
  await build({
    ...config,
    configFile: false,
    logLevel: 'warn',
    build: { ...config.build, sourcemap: false, outDir, rolldownOptions },
  });
}
