import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot, runTool } from '../../scripts/lib/run-tool.ts';
import { soakVariable } from '../../scripts/lib/test-settings.ts';

const measuredIn = 'test/core/store/app/growth.soak.test.ts';

const growth = z.object({
  changes: z.number(),
  eachWithDetails: z.number(),
  ledger: z.number(),
  file: z.number(),
  free: z.number(),
  scale: z.number(),
});
const reportSchema = z.object({
  testResults: z.tuple([z.object({ assertionResults: z.tuple([z.object({ meta: z.object({ growth }) })]) })]),
});

/** Measures the app's database after a year of changes with the code of the test of its bounds. */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string }[]> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  try {
    // vitest.config.ts adds the project of this file only for a soak.
    process.env[soakVariable] = '1';
    const outputFile = join(folder, 'report.json');
    await runTool(
      'vitest',
      ['run', measuredIn, '--reporter=json', `--outputFile=${outputFile}`],
      projectRoot,
    );
    const report = reportSchema.parse(JSON.parse(await readFile(outputFile, 'utf8')));
    const { changes, eachWithDetails, ledger, file, scale } =
      report.testResults[0].assertionResults[0].meta.growth;
    return [
      {
        name: 'app database for each change, details kept',
        figure: eachWithDetails / 1e3,
        unit: 'kB',
        aim: 'at most 6',
      },
      { name: 'ledger for each change', figure: ledger / changes / 1e3, unit: 'kB', aim: 'at most 3' },
      { name: 'app database for each change', figure: file / changes / 1e3, unit: 'kB', aim: '–' },
      {
        name: 'app database after a year at 100 changes a day',
        figure: (file * scale) / 1e6,
        unit: 'MB',
        aim: 'under 170',
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
