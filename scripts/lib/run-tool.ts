import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** The script files of tools, so that tools run on this Node instead of the first in PATH. */
export const tools = {
  electronVite: join(projectRoot, 'node_modules/electron-vite/bin/electron-vite.js'),
  knip: join(projectRoot, 'node_modules/knip/bin/knip.js'),
  oxlint: join(projectRoot, 'node_modules/oxlint/bin/oxlint'),
  prettier: join(projectRoot, 'node_modules/prettier/bin/prettier.cjs'),
  tsc: join(projectRoot, 'node_modules/typescript/bin/tsc'),
  vite: join(projectRoot, 'node_modules/vite/bin/vite.js'),
  vitest: join(projectRoot, 'node_modules/vitest/vitest.mjs'),
} as const;

export interface ToolResult {
  exitCode: number;
  output: string;
}

/** Runs a tool of the project in `folder` and collects its output. A failing tool is a result, not an error. */
export async function runTool(
  tool: keyof typeof tools,
  args: readonly string[],
  folder: string,
): Promise<ToolResult> {
  const child = spawn(process.execPath, [tools[tool], ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  return { exitCode, output };
}
