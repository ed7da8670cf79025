import { writeNotices } from './notices.ts';
import { runAttached } from './run-attached.ts';
import { projectRoot, tools } from './run-tool.ts';

/** The steps of a build in their order. The first step empties `out/main`, so it must remain first. */
const steps: [tool: string, args: string[]][] = [
  [tools.electronVite, ['build', '--logLevel', 'warn', '--ignoreConfigWarning']],
  [tools.vite, ['build', '--config', 'vite.main.config.ts', '--logLevel', 'warn']],
];

export async function buildApp(): Promise<number> {
  for (const [tool, args] of steps) {
    const exitCode = await runAttached(tool, args);
    if (exitCode !== 0) return exitCode;
  }
  writeNotices(projectRoot);
  return 0;
}
