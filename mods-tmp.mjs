import { build } from 'vite';
import { pathToFileURL } from 'node:url';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
const [root, out] = process.argv.slice(2);
process.chdir(root);
const { rendererConfig } = await import(pathToFileURL(root + '/vite.renderer.config.ts').href);
const lines = [];
await build({
  ...rendererConfig,
  configFile: false,
  root: root + '/src/renderer',
  logLevel: 'warn',
  plugins: [
    ...rendererConfig.plugins,
    {
      name: 'x',
      generateBundle(_o, b) {
        for (const c of Object.values(b)) {
          if (c.type !== 'chunk') {
            continue;
          }
          lines.push(`## ${c.fileName} imports ${c.imports.join(' ')} dyn ${c.dynamicImports?.join(' ')}`);
          for (const [id, m] of Object.entries(c.modules))
            lines.push(
              `${c.name}\t${m.renderedLength}\t${gzipSync(m.code ?? '').length}\t${id.replace(root + '/', '')}`,
            );
        }
      },
    },
  ],
  build: { ...rendererConfig.build, outDir: '/tmp/dr/o-' + out, emptyOutDir: true },
});
writeFileSync('/tmp/dr/' + out + '.tsv', lines.join('\n'));
