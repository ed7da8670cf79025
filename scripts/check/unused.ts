import { runTool } from '../lib/run-tool.ts';
import type { Check } from './check.ts';

/** knip: unreachable files, and exports and packages without a user. `knip.jsonc` names the entries. */
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
