import { runTool } from '../lib/run-tool.ts';
import type { Check } from './check.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedDocs } from '../docs/generated-docs.ts';

export const typesCheck: Check = {
  name: 'types, per environment',
  remedy: 'Correct the types; the environment of a file is its nearest tsconfig.json.',
  async run(root) {
    const { exitCode, output } = await runTool('tsc', ['-b', '--pretty', 'false'], root);
    const problems = output.split('\n').filter((line) => line.includes('error TS'));
    // A compiler that fails without reporting an error has still failed.
    if (exitCode !== 0 && problems.length === 0) problems.push(output.trim() || `tsc ended with ${exitCode}`);
    return { problems, notes: [] };
  },
};

export const lintCheck: Check = {
  name: 'lint, with type information',
  remedy: 'Correct the code. A suppression needs a reason on its own line.',
  async run(root) {
    const args = ['--type-aware', '--deny-warnings', '--report-unused-disable-directives', '--format=unix'];
    const { exitCode, output } = await runTool('oxlint', args, root);
    if (exitCode === 0) return { problems: [], notes: [] };
    const problems = output.split('\n').filter((line) => /^\S.*:\d+:\d+: /.test(line));
    return { problems: problems.length > 0 ? problems : [output.trim()], notes: [] };
  },
};

export const formatCheck: Check = {
  name: 'format',
  remedy: 'Run `npm run format`.',
  async run(root) {
    const { exitCode, output } = await runTool('prettier', ['--list-different', '.'], root);
    const lines = output.split('\n').filter((line) => line.trim() !== '');
    return { problems: exitCode === 0 ? [] : lines, notes: [] };
  },
};

export const unusedCheck: Check = {
  name: 'unused files, exports and packages',
  remedy: 'Delete it, or use it. An export that only its own file uses loses the word `export`.',
  async run(root) {
    const { exitCode, output } = await runTool('knip', ['--no-progress', '--reporter', 'compact'], root);
    const lines = output.split('\n').filter((line) => line.trim() !== '');
    if (exitCode === 0) return { problems: [], notes: [] };
    return { problems: lines.length > 0 ? lines : [`knip ended with ${exitCode}`], notes: [] };
  },
};

export const docsCheck: Check = {
  name: 'generated docs',
  remedy: 'Run `npm run docs` and commit what it wrote.',
  async run(root) {
    const problems: string[] = [];
    for (const { path, text } of await generatedDocs()) {
      const written = await readFile(join(root, path), 'utf8').catch(() => null);
      if (written === null) problems.push(`${path}: missing`);
      else if (written !== text) problems.push(`${path}: differs from what the code says`);
    }
    return { problems, notes: [] };
  },
};
