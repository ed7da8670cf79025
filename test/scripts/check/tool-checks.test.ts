import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { docsCheck, formatCheck, lintCheck, typesCheck, unusedCheck } from '../../../scripts/check/tools.ts';
import { generatedDocs } from '../../../scripts/docs/generated-docs.ts';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';
import { plantProject } from './planted-project.ts';

const real = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** A project with the real compiler settings and a single environment, `src/shared`. */
const compiled = {
  'tsconfig.base.json': real('tsconfig.base.json'),
  'src/shared/tsconfig.json': real('src/shared/tsconfig.json'),
  'tsconfig.json': '{ "files": [], "references": [{ "path": "./src/shared" }] }\n',
};

describe('types', () => {
  test('a wrong type is named with its file', async () => {
    const root = plantProject({ ...compiled, 'src/shared/a.ts': "export const count: number = 'one';\n" });
    const { problems } = await typesCheck.run(root);
    expect(problems).toEqual([expect.stringMatching(/^src\/shared\/a\.ts\(1,14\): error TS2322/)]);
  });

  test('shared code can use neither page nor Node types', async () => {
    const root = plantProject({
      ...compiled,
      'src/shared/a.ts': 'export const title = document.title;\n',
      'src/shared/b.ts': 'export const folder = process.cwd();\n',
    });
    const { problems } = await typesCheck.run(root);
    expect(problems).toHaveLength(2);
    expect(problems.join()).toMatch(/document[^]*process/);
  });

  test('right types pass', async () => {
    const root = plantProject({ ...compiled, 'src/shared/a.ts': 'export const count: number = 1;\n' });
    expect((await typesCheck.run(root)).problems).toEqual([]);
  });
});

describe('lint', () => {
  const faults: [what: string, rule: RegExp, text: string][] = [
    [
      'a promise that is not awaited',
      /no-floating-promises/,
      'const go = async () => 1;\nexport const on = () => {\n  go();\n};\n',
    ],
    ['any', /no-explicit-any/, 'export const a = (b: any) => String(b);\n'],
    [
      'a raw ipcMain',
      /no-restricted-imports/,
      "import { ipcMain } from 'electron';\nexport const a = ipcMain;\n",
    ],
    ['a default export', /no-default-export/, 'export default 1;\n'],
    [
      'a claim that something is there',
      /no-non-null-assertion/,
      'export const a = (b: string | null) => b!.length;\n',
    ],
    ['words on the console', /no-console/, "console.log('here');\n"],
  ];

  test.each(faults)('%s is found', async (_what, rule, text) => {
    const root = plantProject({
      ...compiled,
      '.oxlintrc.json': real('.oxlintrc.json'),
      'src/shared/a.ts': text,
    });
    const { problems } = await lintCheck.run(root);
    expect(problems).toEqual([expect.stringMatching(rule)]);
    expect(problems[0]).toMatch(/^src\/shared\/a\.ts:\d/);
  });

  test('markup that a page sets as HTML is found', async () => {
    const text = 'export const A = () => <p dangerouslySetInnerHTML={{ __html: "" }} />;\n';
    const root = plantProject({ '.oxlintrc.json': real('.oxlintrc.json'), 'src/renderer/a.tsx': text });
    expect((await lintCheck.run(root)).problems).toEqual([expect.stringMatching(/no-danger/)]);
  });

  test('clean code passes', async () => {
    const root = plantProject({
      ...compiled,
      '.oxlintrc.json': real('.oxlintrc.json'),
      'src/shared/a.ts': 'export const one = 1;\n',
    });
    expect((await lintCheck.run(root)).problems).toEqual([]);
  });
});

test('an unformatted file is named', async () => {
  const root = plantProject({ 'src/a.ts': 'export const  a=1\n', 'src/b.ts': 'export const b = 1;\n' });
  expect((await formatCheck.run(root)).problems).toEqual(['src/a.ts']);
});

describe('unused', () => {
  const project = {
    'knip.json': '{ "entry": ["src/main.ts"], "project": ["src/**/*.ts"] }\n',
    'src/main.ts': "import { used } from './parts.ts';\nused();\n",
  };

  test('an unreachable file and an unused export are named', async () => {
    const root = plantProject({
      ...project,
      'src/parts.ts': 'export const used = () => 1;\nexport const idle = () => 2;\n',
      'src/lost.ts': 'export const lost = 1;\n',
    });
    const problems = (await unusedCheck.run(root)).problems.join('\n');
    expect(problems).toMatch(/src\/lost\.ts/);
    expect(problems).toMatch(/src\/parts\.ts: idle/);
  });

  test('a project in use passes', async () => {
    const root = plantProject({ ...project, 'src/parts.ts': 'export const used = () => 1;\n' });
    expect((await unusedCheck.run(root)).problems).toEqual([]);
  });
});

describe('generated docs', () => {
  test('a missing page and an outdated page are distinguished', async () => {
    const root = plantProject({ 'docs/errors.md': '# Errors\n\nNone, ever.\n' });
    expect((await docsCheck.run(root)).problems).toEqual([
      'docs/architecture.md: missing',
      'docs/errors.md: differs from what the code says',
      'docs/imports.md: missing',
      'docs/openapi.json: missing',
    ]);
  });

  test('unchanged pages pass', async () => {
    const pages = await generatedDocs();
    const root = plantProject(Object.fromEntries(pages.map(({ path, text }) => [path, text])));
    expect((await docsCheck.run(root)).problems).toEqual([]);
  });
});
