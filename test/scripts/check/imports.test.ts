import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { importTable } from '../../../scripts/check/import-table.ts';
import { importsCheck, permissionsCheck } from '../../../scripts/check/imports.ts';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';
import { plantProject } from './planted-project.ts';

/** Returns the problems of a project with one source file under test and the files that it needs. */
async function problemsOf(
  file: string,
  text: string,
  around: Record<string, string> = {},
): Promise<string[]> {
  const root = plantProject({ [file]: text, ...around });
  return (await importsCheck.run(root)).problems;
}

describe('the import table refuses', () => {
  const refused: [what: string, file: string, text: string, told: RegExp][] = [
    [
      'a package in a folder that may not use it',
      'src/main/core/ledger/rows.ts',
      "import Database from 'better-sqlite3';",
      /ledger may not import the package `better-sqlite3`: only src\/main\/core\/store\/sqlite/,
    ],
    [
      'a package that is allowed nowhere',
      'src/shared/lib/left.ts',
      "import pad from 'left-pad';",
      /no folder may; the table does not know it/,
    ],
    [
      'a page that speaks to the core',
      'src/renderer/app/shell.tsx',
      "import { composeCore } from '#core/compose/compose.ts';",
      /src\/renderer\/app may not import src\/main\/core\/compose\/compose\.ts: of ours it may import src\/renderer\/ui/,
    ],
    [
      'a feature that leans on another feature',
      'src/renderer/features/editor/panel.tsx',
      "import { List } from '../campaigns/index.ts';",
      /features\/editor may not import src\/renderer\/features\/campaigns\/index\.ts/,
    ],
    [
      'a view that calls the app API past its store',
      'src/renderer/features/editor/panel.tsx',
      "import { appBridge } from '#renderer/api/app-bridge.ts';",
      /features\/editor may not import src\/renderer\/api\/app-bridge\.ts/,
    ],
    [
      'a store of a feature that knows its views',
      'src/renderer/features/editor/stores/uploads-store.ts',
      "import { Panel } from '../panel.tsx';",
      /features\/editor\/stores may not import src\/renderer\/features\/editor\/panel\.tsx/,
    ],
    [
      'the gate when it names the embedded backend',
      'src/main/core/proposals/send.ts',
      "import { createBackend } from '#core/backend/index.ts';",
      /proposals may not import src\/main\/core\/backend\/index\.ts/,
    ],
    [
      'a stage of the gate that imports a later one',
      'src/main/core/proposals/lifecycle/end.ts',
      "import type { Displays } from '../confirmation/displays.ts';",
      /proposals\/lifecycle may not import src\/main\/core\/proposals\/confirmation\/displays\.ts/,
    ],
    [
      'a page of the app that the confirmation borrows from',
      'src/renderer/confirm/page.tsx',
      "import { Shell } from '../app/shell.tsx';",
      /confirm may not import src\/renderer\/app\/shell\.tsx/,
    ],
    [
      'Node in shared code',
      'src/shared/lib/hash.ts',
      "import { createHash } from 'node:crypto';",
      /shared\/lib may not import the package `node:crypto`/,
    ],
    [
      'a type import like any other',
      'src/shared/lib/types.ts',
      "import type { Campaign } from '../contract/index.ts';",
      /of ours it may import nothing/,
    ],
    [
      'a type named in an import() type',
      'src/shared/lib/types.ts',
      "export type A = import('../contract/index.ts').A;",
      /of ours it may import nothing/,
    ],
    [
      'a module that is passed on',
      'src/shared/lib/index.ts',
      "export { z } from 'zod';",
      /shared\/lib may not import the package `zod`/,
    ],
    [
      'a module that is loaded later',
      'src/renderer/stores/late.ts',
      "export const late = () => import('react');",
      /stores may not import the package `react`/,
    ],
    [
      'a module whose name is computed',
      'src/renderer/stores/late.ts',
      'export const late = (name: string) => import(name);',
      /computed import/,
    ],
    [
      'everything passed on at once',
      'src/shared/contract/index.ts',
      "export * from './campaign.ts';",
      /`export \*` hides what a folder offers/,
    ],
    [
      'a file outside the layout',
      'src/helpers/misc.ts',
      "import 'node:fs';",
      /stands in no folder of the import table/,
    ],
    [
      'a long climb',
      'src/renderer/features/editor/panel.tsx',
      "import { AppError } from '../../../shared/errors/index.ts';",
      /climbs too far; write `#shared\/errors\/index\.ts`/,
    ],
  ];

  test.each(refused)('%s', async (_what, file, text, told) => {
    const problems = await problemsOf(file, text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(told);
    expect(problems[0]).toContain(`${file}:1:`);
  });

  test('an import of a folder’s inner file, and names the right import', async () => {
    const problems = await problemsOf(
      'src/main/core/proposals/send.ts',
      "import { catalogue } from '#shared/errors/catalogue.ts';",
      { 'src/shared/errors/index.ts': '', 'src/shared/errors/catalogue.ts': '' },
    );
    expect(problems).toEqual([
      'src/main/core/proposals/send.ts:1: src/shared/errors/catalogue.ts is behind src/shared/errors/index.ts; import `#shared/errors/index.ts`',
    ]);
  });
});

describe('a permission of the import table', () => {
  const file = 'src/main/system/policy/rules.ts';
  const used = ["import { z } from 'zod';"];
  const problemsOf = async (lines: readonly string[]): Promise<string[]> =>
    (await permissionsCheck.run(plantProject({ [file]: lines.join('\n') }))).problems;

  test('is refused if no file of its folder uses it', async () => {
    const problems = await problemsOf([...used, "import { AppError } from '#shared/errors/index.ts';"]);
    expect(problems).toEqual(['src/main/system/policy imports nothing from node:*']);
  });

  test('does not count as used by an import within its folder', async () => {
    const problems = await problemsOf([...used, "import { hour } from './hour.ts';", "import 'node:fs';"]);
    expect(problems).toEqual(['src/main/system/policy imports nothing from src/shared']);
  });
});

describe('a folder that is loaded with a later page', () => {
  const fronts = {
    'src/renderer/ui/index.ts': '',
    'src/renderer/ui/chart/index.ts': '',
    'src/renderer/ui/chart/bars.tsx': '',
  };
  const text = "import { Bars } from '#renderer/ui/chart/index.ts';";

  test('is imported by features through its own index only', async () => {
    const file = 'src/renderer/features/reports/view.tsx';
    expect(await problemsOf(file, text, fronts)).toEqual([]);
    expect(await problemsOf(file, text.replace('index.ts', 'bars.tsx'), fronts)).toHaveLength(1);
  });

  test('is not exported by its parent folder', async () => {
    expect(await problemsOf('src/renderer/ui/late.ts', text, fronts)).toEqual([
      'src/renderer/ui/late.ts:1: src/renderer/ui/chart loads with a later page; only features import it',
    ]);
  });
});

test('the command line imports the core through `public.ts` only', async () => {
  const problems = async (from: string): Promise<string[]> =>
    problemsOf('src/main/headless/cli/main.ts', `import { thing } from '#core/${from}';`);
  expect(await problems('public.ts')).toEqual([]);
  expect(await problems('compose.ts')).toHaveLength(1);
  expect(await problems('platform/clock.ts')).toHaveLength(1);
});

describe('the import table allows', () => {
  const allowed: [what: string, file: string, text: string][] = [
    [
      'SQLite under the store',
      'src/main/core/store/sqlite/open.ts',
      "import Database from 'better-sqlite3';",
    ],
    [
      'compose to name everything of the core',
      'src/main/core/compose/compose.ts',
      "import '#core/backend/index.ts';",
    ],
    ['the neighbour in the same folder', 'src/shared/lib/json/a.ts', "import { b } from '../b.ts';"],
    [
      'a feature to use parts and stores',
      'src/renderer/features/editor/a.tsx',
      "import '#renderer/ui/button.tsx';",
    ],
    [
      'a feature to use its own store',
      'src/renderer/features/editor/a.tsx',
      "import './stores/uploads-store.ts';",
    ],
    [
      'a store of a feature to call the app API',
      'src/renderer/features/editor/stores/uploads-store.ts',
      "import '#renderer/api/app-bridge.ts';",
    ],
    ['a subpath of an allowed package', 'src/renderer/app/main.tsx', "import 'react-dom/client';"],
    ['styles next to a component', 'src/renderer/ui/button.tsx', "import styles from './button.module.css';"],
  ];

  test.each(allowed)('%s', async (_what, file, text) => {
    expect(await problemsOf(file, text)).toEqual([]);
  });

  test('the index of a folder, and every file inside it for its own files', async () => {
    const around = { 'src/shared/errors/index.ts': '', 'src/shared/errors/catalogue.ts': '' };
    expect(
      await problemsOf('src/main/core/ledger/a.ts', "import '#shared/errors/index.ts';", around),
    ).toEqual([]);
    expect(await problemsOf('src/shared/errors/a.ts', "import './catalogue.ts';", around)).toEqual([]);
  });

  test('zustand in stores only without React', async () => {
    expect(await problemsOf('src/renderer/stores/a.ts', "import 'zustand/vanilla';")).toEqual([]);
    expect(await problemsOf('src/renderer/stores/a.ts', "import 'zustand';")).toHaveLength(1);
  });
});

test('every row of the import table names existing places', () => {
  const places = importTable.flatMap(({ place, ours }) => [place, ...ours]);
  expect(places.filter((place) => globSync(place, { cwd: projectRoot }).length === 0)).toEqual([]);
});
