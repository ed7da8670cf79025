import { globSync } from 'node:fs';
import { projectRoot } from './run-tool.ts';

/** The vitest projects that need a real Electron, by the files that they run. */
export const desktopProjects = {
  desktop: { include: ['test/desktop/**/*.test.ts'], exclude: [] },
  'e2e-desktop': { include: ['test/e2e/**/*.test.ts'], exclude: ['test/e2e/browser/**'] },
  package: { include: ['test/package/**/*.test.ts'], exclude: [] },
} satisfies Record<string, { include: string[]; exclude: string[] }>;

/** The variable by which `npm test` leaves these projects out. */
export const withoutDesktop = 'COUNTERSIGN_TESTS_WITHOUT_DESKTOP';

/** The last lines of a run that left these projects out: how many test files were skipped, and of which projects. */
export function skippedLines(root: string = projectRoot): string[] {
  const counts = Object.entries(desktopProjects).map(([name, { include, exclude }]) => ({
    name,
    files: globSync(include, { cwd: root, exclude }).length,
  }));
  const files = counts.reduce((sum, project) => sum + project.files, 0);
  return [
    `Skipped ${counted(files)}, because there is no Electron on this machine:`,
    ...counts.map((project) => `  project ${project.name}: ${counted(project.files)} skipped`),
  ];
}

const counted = (files: number): string => `${files} test ${files === 1 ? 'file' : 'files'}`;
