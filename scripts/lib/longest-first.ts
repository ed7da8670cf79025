import { BaseSequencer, type TestSpecification } from 'vitest/node';

const longest = [
  'test/desktop/core-link.test.ts',
  'test/kills/write-path.test.ts',
  'test/kills/starts.test.ts',
  'test/kills/schedules.test.ts',
  'test/kills/core-process.test.ts',
  'test/packaged/try-package.test.ts',
  'test/packaged/no-telemetry.test.ts',
  'test/desktop/settings.test.ts',
  'test/desktop/hard-starts.test.ts',
  'test/desktop/training/windows.test.ts',
  'test/clients/consent-page.test.ts',
  'test/headless/demo.test.ts',
  'test/headless/report.test.ts',
  'test/e2e/desktop/confirmation-gesture.test.ts',
  'test/e2e/browser/reports/report-states.test.ts',
  'test/e2e/browser/campaigns/finding.test.ts',
  'test/e2e/browser/keyboard.test.ts',
  'test/e2e/browser/editor/editor.test.ts',
  'test/e2e/browser/campaigns/bulk-changes.test.ts',
  'test/e2e/browser/reports/schedules.test.ts',
  'test/e2e/browser/training/training-pages.test.ts',
  'test/e2e/browser/training/training-missions.test.ts',
  'test/e2e/browser/reports/report-keyboard.test.ts',
  'test/e2e/browser/focus-after-removal.test.ts',
  'test/e2e/browser/accessibility.test.ts',
  'test/e2e/planted/planted.test.ts',
  'test/desktop/boot.test.ts',
  'test/desktop/page-guards.test.ts',
];

/**
 * Starts the long files of every project first, so that no core waits at the end for a long file that began late. Files of a
 * project stay together, because only consecutive files share a process. Vitest itself sorts by project name and, in a fresh
 * clone, by file size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, not that of an array
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (a, b) =>
        Number(isLong(b)) - Number(isLong(a)) ||
        a.project.name.localeCompare(b.project.name) ||
        longest.indexOf(fileOf(a)) - longest.indexOf(fileOf(b)),
    );
  }
}

function fileOf({ moduleId, project }: TestSpecification): string {
  return moduleId.slice(project.config.root.length + 1);
}

function isLong(file: TestSpecification): boolean {
  return longest.includes(fileOf(file));
}
