import { globSync } from 'node:fs';
import { projectRoot } from './run-tool.ts';

const everydayFiles = [
  'test/desktop/{boot,page-guards,page-ipc}.test.ts',
  'test/e2e/desktop/confirmation-gesture.test.ts',
];

/**
 * Scenarios that run both in Chromium on the browser host and in Electron, each with the difference between the hosts. All other
 * scenarios run once, because pages and core of both hosts are identical.
 */
export const onBothHosts: Readonly<Record<string, string>> = {
  'test/e2e/browser/killed.test.ts':
    'a core that is killed or lost: the window stays, or the page has no server',
  'test/e2e/journeys/agents.test.ts': 'a confirmation that comes up by itself',
  'test/e2e/journeys/change-a-bid.test.ts':
    'the whole path of a change: app window, confirmation window, and back',
};

export const desktopProjects = {
  electron: { include: everydayFiles, exclude: [] },
  desktop: {
    include: ['test/{desktop,e2e/desktop}/**/*.test.ts', ...Object.keys(onBothHosts)],
    exclude: everydayFiles,
  },
  package: { include: ['test/package/**/*.test.ts'], exclude: [] },
  packaged: { include: ['test/packaged/**/*.test.ts'], exclude: [] },
} satisfies Record<string, { include: string[]; exclude: string[] }>;

type DesktopProject = keyof typeof desktopProjects;

/** Projects that start a packaged app. Its core runs inside Electron, so they need a binding that Electron can load. */
export const packagedProjects: readonly DesktopProject[] = ['packaged'];

export const skippedVariable = 'COUNTERSIGN_TESTS_WITHOUT';

export function skippedLines(
  skipped: readonly DesktopProject[],
  because: string,
  root: string = projectRoot,
): string[] {
  const counts = skipped.map((name) => {
    const { include, exclude } = desktopProjects[name];
    return { name, files: globSync(include, { cwd: root, exclude }).length };
  });
  const files = counts.reduce((sum, project) => sum + project.files, 0);
  return [
    `Skipped ${counted(files)}, because ${because}:`,
    ...counts.map((project) => `  project ${project.name}: ${counted(project.files)} skipped`),
  ];
}

const counted = (files: number): string => `${files} test ${files === 1 ? 'file' : 'files'}`;
