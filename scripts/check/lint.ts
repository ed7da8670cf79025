import { runTool } from '../lib/run-tool.ts';
import type { Check } from './check.ts';

/** oxlint with type information. Rules and their reasons are in `.oxlintrc.json`. */
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
