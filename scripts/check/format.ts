import { runTool } from '../lib/run-tool.ts';
import type { Check } from './check.ts';

/** Prettier, the only say on layout. */
export const formatCheck: Check = {
  name: 'format',
  remedy: 'Run `npm run format`.',
  async run(root) {
    const { exitCode, output } = await runTool('prettier', ['--list-different', '.'], root);
    const lines = output.split('\n').filter((line) => line.trim() !== '');
    return { problems: exitCode === 0 ? [] : lines, notes: [] };
  },
};
