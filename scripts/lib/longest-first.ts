import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, in seconds on a quiet machine with two cores; the others take less than any of these. */
const longest: Readonly<Record<string, number>> = {
  'test/kills/write-path.test.ts': 70,
  'test/headless/serve.test.ts': 60,
  'test/kills/starts.test.ts': 55,
  'test/core/training/every-mission.test.ts': 60,
  'test/e2e/browser/reports/schedules.test.ts': 50,
  'test/clients/consent-page.test.ts': 40,
  'test/desktop/core-link.test.ts': 40,
  'test/e2e/browser/agents/hostile-agents.test.ts': 40,
  'test/e2e/browser/campaigns/bulk-changes.test.ts': 40,
  'test/e2e/browser/editor/editor.test.ts': 40,
  'test/e2e/browser/reports/report-states.test.ts': 35,
  'test/e2e/browser/training/training-missions.test.ts': 35,
  'test/e2e/browser/training/training-pages.test.ts': 35,
  'test/e2e/desktop/confirmation-gesture.test.ts': 30,
  'test/e2e/browser/campaigns/remembered-statuses.test.ts': 35,
  'test/packaged/try-package.test.ts': 35,
  'test/e2e/browser/reports/reports.test.ts': 33,
  'test/e2e/browser/accessibility.test.ts': 30,
  'test/e2e/browser/keyboard.test.ts': 30,
  'test/kills/prepare-again.test.ts': 30,
  'test/e2e/browser/agents/agents.test.ts': 27,
  'test/e2e/planted/planted.test.ts': 27,
  'test/e2e/browser/decisions/reviewing-many.test.ts': 25,
  'test/e2e/browser/reports/report-keeping.test.ts': 24,
  'test/core/host-link/core-process.test.ts': 40,
  'test/core/backend/member-fuzz.test.ts': 18,
  'test/core/proposals/lifecycle/failing-disk.test.ts': 13,
  'test/core/proposals/tool-call/padding.test.ts': 12,
  'test/scripts/try-package/try-package.test.ts': 12,
  'test/packaged/no-telemetry.test.ts': 11,
  'test/core/drafts/many.test.ts': 9,
  'test/scripts/release/workflow-lines.test.ts': 9,
  'test/core/store/app/growth.test.ts': 8,
  'test/core/proposals/undo/net-effect.test.ts': 8,
};

/**
 * Starts the long files of every project before the others of a group, so that no core waits at the end for one that began
 * late. Those of a project stay together: files share a process only with the one that comes next. Vitest itself goes by
 * name of project and, in a fresh clone, by size of file.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, not that of an array
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (a, b) =>
        a.project.config.sequence.groupOrder - b.project.config.sequence.groupOrder ||
        Number(secondsOf(b) > 0) - Number(secondsOf(a) > 0) ||
        a.project.name.localeCompare(b.project.name) ||
        secondsOf(b) - secondsOf(a),
    );
  }
}

function secondsOf({ moduleId, project }: TestSpecification): number {
  return longest[moduleId.slice(project.config.root.length + 1)] ?? 0;
}
