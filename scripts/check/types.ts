import { runTool } from '../lib/run-tool.ts';
import type { Check } from './check.ts';

/** The compiler, once per environment: the tsconfig of a folder says what may exist where it runs. */
export const typesCheck: Check = {
  name: 'types, per environment',
  remedy: 'Correct the types; the environment of a file is its nearest tsconfig.json.',
  async run(root) {
    const { exitCode, output } = await runTool('tsc', ['-b', '--pretty', 'false'], root);
    const problems = output.split('\n').filter((line) => line.includes('error TS'));
    // A compiler that fails without naming an error has still failed.
    if (exitCode !== 0 && problems.length === 0) problems.push(output.trim() || `tsc ended with ${exitCode}`);
    return { problems, notes: [] };
  },
};
