import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseSync } from 'oxc-parser';
import { projectRoot } from '../../scripts/lib/run-tool.ts';

const rendererFolder = join(projectRoot, 'out/renderer');

/** Measures the compressed bytes that a page needs before it can show anything: HTML, styles and scripts. */
export async function run() {
  const pages = [
    { page: 'index.html', name: 'first load of the app, gzipped', max: 233 },
    { page: 'confirm.html', name: 'first load of the confirmation, gzipped', max: 175 },
  ];
  return Promise.all(
    pages.map(async ({ page, name, max }) => ({
      name,
      figure: ((await gzippedBytes(await filesOf(page))) / 1000).toFixed(1),
      unit: 'kB',
      aim: `at most ${max}`,
      max,
    })),
  );
}

/** Returns the page and the files that it loads at once, as paths below the renderer's folder. */
async function filesOf(page: string): Promise<Set<string>> {
  const html = await readFile(join(rendererFolder, page), 'utf8');
  const named = [
    ...html.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g),
  ];
  const files = new Set([page]);
  const waiting = named.map((match) => match[1] ?? '');
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    if (file.endsWith('.js')) waiting.push(...(await staticImportsOf(file)));
  }
  return files;
}

/** Excludes dynamic imports, which are loaded later. */
async function staticImportsOf(file: string): Promise<string[]> {
  const { module } = parseSync(file, await readFile(join(rendererFolder, file), 'utf8'));
  const imported = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  const passedOn = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  );
  return [...imported, ...passedOn].map((specifier) => posix.join(posix.dirname(file), specifier));
}

async function gzippedBytes(files: Iterable<string>): Promise<number> {
  let bytes = 0;
  for (const file of files) bytes += gzipSync(await readFile(join(rendererFolder, file))).length;
  return bytes;
}
