/** `npm run check`: every check in order, all reported; fails when any has found something. This is what CI runs. */
import { chaptersCheck } from './check/chapters.ts';
import type { Check } from './check/check.ts';
import { docsCheck } from './check/docs.ts';
import { fileSizeCheck } from './check/file-size.ts';
import { formatCheck } from './check/format.ts';
import { importsCheck } from './check/imports.ts';
import { leaksCheck } from './check/leaks.ts';
import { lintCheck } from './check/lint.ts';
import { suppressionsCheck } from './check/suppressions.ts';
import { typesCheck } from './check/types.ts';
import { unusedCheck } from './check/unused.ts';
import { projectRoot } from './lib/run-tool.ts';

const checks: Check[] = [
  typesCheck,
  lintCheck,
  suppressionsCheck,
  formatCheck,
  importsCheck,
  fileSizeCheck,
  chaptersCheck,
  unusedCheck,
  docsCheck,
  leaksCheck,
];

let failed = 0;
for (const check of checks) {
  const beganAtMs = performance.now();
  const { problems, notes } = await check.run(projectRoot);
  const seconds = ((performance.now() - beganAtMs) / 1000).toFixed(1);
  process.stdout.write(`${problems.length === 0 ? '✓' : '✗'} ${check.name} (${seconds} s)\n`);
  for (const note of notes) process.stdout.write(`    look: ${note}\n`);
  for (const problem of problems) process.stdout.write(`    ${problem}\n`);
  if (problems.length > 0) {
    failed += 1;
    process.stdout.write(`    → ${check.remedy}\n`);
  }
}

process.stdout.write(
  failed === 0 ? `All ${checks.length} checks passed.\n` : `${failed} of ${checks.length} checks failed.\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
