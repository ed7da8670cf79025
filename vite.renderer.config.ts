import react from '@vitejs/plugin-react';
import { basename } from 'node:path';
import type { Plugin, UserConfig } from 'vite';
import { guidePlugin } from './scripts/lib/guide/read-guide.ts';

const stylesheets = new Map<string, string>();

/** Names a class by its stylesheet, so that the built page leads back to both. Refuses two stylesheets of one name: they would share classes. */
function scopedName(className: string, file: string): string {
  const path = file.split('?')[0] ?? file;
  const stem = basename(path, '.module.css');
  const first = stylesheets.get(stem) ?? path;
  if (first !== path) throw new Error(`${first} and ${path} have the same name`);
  stylesheets.set(stem, path);
  return `${stem}__${className}`;
}

/**
 * Refuses zod in the app's page: it would be loaded at every start, and its first schema tries to make code of text,
 * which the page's policy reports. The confirmation checks answers with schemas and says beforehand not to try.
 */
const appWithoutSchemas: Plugin = {
  name: 'app-without-schemas',
  generateBundle(_options, bundle) {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      const chunk = bundle[file];
      if (seen.has(file) || chunk?.type !== 'chunk') return;
      seen.add(file);
      const ids = Object.keys(chunk.modules);
      if (ids.some((id) => id.includes('/node_modules/zod/')))
        this.error(
          `${file}, which the app's page loads, holds zod: import constants from a module without schemas`,
        );
      [...chunk.imports, ...chunk.dynamicImports].forEach(visit);
    };
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk' && chunk.isEntry && chunk.name === 'index') visit(chunk.fileName);
  },
};

/**
 * How the pages are built: for the app by electron.vite.config.ts, for development by scripts/dev.ts.
 * `index.html` is the app; `confirm.html` is the confirmation, an entry of its own on an origin of its own.
 */
export const rendererConfig = {
  root: 'src/renderer',
  plugins: [react(), appWithoutSchemas, guidePlugin],
  css: { modules: { generateScopedName: scopedName } },
  build: {
    rolldownOptions: {
      input: { index: 'src/renderer/index.html', confirm: 'src/renderer/confirm.html' },
      // zod is told not to make code before any schema is made, wherever the modules with schemas are put: its chunk runs first.
      output: {
        codeSplitting: {
          groups: [
            { name: 'zod', test: /[\\/]node_modules[\\/]zod[\\/]|schemas-without-code\.ts$/ },
            // Stores that every start uses. Many small chunks would compress worse.
            {
              name: 'stores',
              test: /[\\/]renderer[\\/]stores[\\/](?!bulk|ledger|schedules|undo|agents[\\/]guardrails|agents[\\/]campaign-search|editor[\\/]beside)/,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
      // Shared code and the parts of `ui` are pure: a page loads those that it uses, and not all that their index names.
      treeshake: {
        moduleSideEffects: [{ test: /src[\\/](?:shared|renderer[\\/]ui)[\\/].*\.tsx?$/, sideEffects: false }],
      },
    },
    // An inlined asset would be a data: URL, which the pages' policy refuses for everything but images.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, which the pages' policy refuses; Chromium needs none.
    modulePreload: { polyfill: false },
    minify: true,
    // What counts is the first load, compressed: `npm run bench` measures it.
    chunkSizeWarningLimit: 1_000,
    cssMinify: true,
  },
} satisfies UserConfig;
