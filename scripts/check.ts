/** `npm run check`: runs every check and reports all in order; fails if any check has findings. CI runs this. */
import { bareTextsCheck } from './check/bare-texts.ts';
import { chaptersCheck } from './check/chapters.ts';
import type { Check, Findings } from './check/check.ts';
import { commentsCheck } from './check/comments.ts';
import { depthCheck } from './check/depth.ts';
import { docsCheck, formatCheck, lintCheck, typesCheck, unusedCheck } from './check/tools.ts';
import { documentsCheck } from './check/documents.ts';
import { fileNamesCheck } from './check/file-names.ts';
import { fileSizeCheck } from './check/file-size.ts';
import { importsCheck, permissionsCheck } from './check/imports.ts';
import { leaksCheck } from './check/leaks.ts';
import { madeFoldersCheck } from './check/made-folders.ts';
import { suppressionsCheck } from './check/suppressions.ts';
import { testBudgetCheck } from './check/test-budget.ts';
import { testWaitsCheck } from './check/test-waits.ts';
import { workflowsCheck } from './check/workflows.ts';
import { projectRoot } from './lib/run-tool.ts';

/** These checks already use all cores and much memory, so they run one at a time. */
const large = [typesCheck, lintCheck];

const small = [
  suppressionsCheck,
  commentsCheck,
  bareTextsCheck,
  madeFoldersCheck,
  testWaitsCheck,
  testBudgetCheck,
  formatCheck,
  importsCheck,
  permissionsCheck,
  fileNamesCheck,
  fileSizeCheck,
  chaptersCheck,
  depthCheck,
  unusedCheck,
  docsCheck,
  documentsCheck,
  leaksCheck,
  workflowsCheck,
];

function runInTurn(
  checks: readonly Check[],
): Promise<Findings & { name: string; remedy: string; seconds: string }>[] {
  let before: Promise<unknown> = Promise.resolve();
  return checks.map(({ name, remedy, run }) => {
    const findings = before.then(async () => {
      const beganAtMs = performance.now();
      const found = await run(projectRoot);
      return { ...found, name, remedy, seconds: ((performance.now() - beganAtMs) / 1000).toFixed(1) };
    });
    before = findings;
    return findings;
  });
}

let failed = 0;
const checks = [large, small].flatMap(runInTurn);
for (const check of checks) {
  const { problems, notes, name, remedy, seconds } = await check;
  process.stdout.write(`${problems.length === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n`);
  for (const note of notes) process.stdout.write(`    look: ${note}\n`);
  for (const problem of problems) process.stdout.write(`    ${problem}\n`);
  if (problems.length > 0) {
    failed += 1;
    process.stdout.write(`    → ${remedy}\n`);
  }
}

process.stdout.write(
  failed === 0 ? `All ${checks.length} checks passed.\n` : `${failed} of ${checks.length} checks failed.\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
