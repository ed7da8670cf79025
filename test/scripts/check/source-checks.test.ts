import { describe, expect, test } from 'vitest';
import { bareTextsCheck } from '../../../scripts/check/bare-texts.ts';
import { documentsCheck } from '../../../scripts/check/documents.ts';
import { fileNamesCheck } from '../../../scripts/check/file-names.ts';
import { fileSizeCheck } from '../../../scripts/check/file-size.ts';
import { leaksCheck } from '../../../scripts/check/leaks.ts';
import { madeFoldersCheck } from '../../../scripts/check/made-folders.ts';
import { suppressionsCheck } from '../../../scripts/check/suppressions.ts';
import { testBudgetCheck } from '../../../scripts/check/test-budget.ts';
import { testWaitsCheck } from '../../../scripts/check/test-waits.ts';
import { lastRunFile } from '../../../scripts/lib/run-record.ts';
import { has } from '../../servers/abilities.ts';
import { plantProject } from './planted-project.ts';

const lines = (count: number) => 'export {};\n'.repeat(count);

describe('file sizes', () => {
  test('a file of 400 lines is a warning, and a file of 401 lines fails', async () => {
    const root = plantProject({ 'src/a.ts': lines(400), 'src/b.ts': lines(401), 'src/c.ts': lines(300) });
    const { problems, notes } = await fileSizeCheck.run(root);
    expect(problems).toEqual(['src/b.ts: 401 lines; split at 400']);
    expect(notes).toEqual(['src/a.ts: 400 lines']);
  });

  test('a function of 81 lines is named with its position', async () => {
    const root = plantProject({ 'src/a.ts': `\nfunction long() {${'\n'.repeat(80)}}\n` });
    expect((await fileSizeCheck.run(root)).notes).toEqual(['src/a.ts:2: long has 81 lines']);
  });

  test('a test file may be long', async () => {
    const root = plantProject({ 'test/a.test.ts': lines(600) });
    expect(await fileSizeCheck.run(root)).toEqual({ problems: [], notes: [] });
  });
});

describe('file names', () => {
  test.runIf(has.anyFileName).each([
    [':memory:', [':memory:: Windows refuses the name']],
    ['docs/aux.md', ['docs/aux.md: Windows refuses the name']],
    ['docs/notes.', ['docs/notes.: Windows refuses the name']],
    ['docs/console.md', []],
  ])('%s', async (file, problems) => {
    expect((await fileNamesCheck.run(plantProject({ [file]: '' }))).problems).toEqual(problems);
  });

  // Other systems may not distinguish the two names.
  test.runIf(has.linux)('two names that differ only in case', async () => {
    const root = plantProject({ 'PACKAGE.json': '' });
    expect((await fileNamesCheck.run(root)).problems).toEqual([
      'package.json: differs from PACKAGE.json in case only',
    ]);
  });
});

describe('bare texts of pages', () => {
  test.each([
    ['<p>{one && <b />}text</p>', 'a text after an element that comes and goes'],
    ['<p>{one ? <b /> : null} text</p>', 'a text after an element that comes and goes'],
    ['<p>{all.map(draw)}{`text`}</p>', 'a text after an element that comes and goes'],
    ['<p>text{one && " more"}</p>', 'a text that comes and goes'],
    ['<p><b />{one ? `a text` : <i />}</p>', 'a text that comes and goes'],
    ['<p><b />{one && (two ? "a" : "b")}</p>', 'a text that comes and goes'],
    ['<>text <b /></>', 'a text of a fragment'],
    ['<p>text</p>', null],
    ['<p>{one && "text"}</p>', null],
    ['<p><b /> text {one}</p>', null],
    ['<p>text {one && <b />}</p>', null],
    ['<p>{one ? "a" : "b"} <b /></p>', null],
    ['<p>{one && <b />} <span>text</span></p>', null],
    ['<>{one && <b />} {two}</>', null],
  ])('%s', async (element, problem) => {
    const root = plantProject({ 'src/renderer/a.tsx': `export const drawn = ${element};\n` });
    expect((await bareTextsCheck.run(root)).problems).toEqual(
      problem === null ? [] : [`src/renderer/a.tsx:1: ${problem}`],
    );
  });
});

test('a recursive mkdir is refused, and the removal of a folder is allowed', async () => {
  const root = plantProject({
    'src/main/a.ts': '\nmkdirSync(folder, {\n  recursive: true,\n});\nmkdirSync(folder, { mode: 0o700 });\n',
    'src/main/b.ts': "await mkdir(join(folder, 'a'), { recursive: true });\n",
    'src/main/c.ts': 'mkdirSync(folder);\nrmSync(folder, { recursive: true });\n',
  });
  const { problems } = await madeFoldersCheck.run(root);
  expect(problems).toEqual(['src/main/a.ts:2: a recursive mkdir', 'src/main/b.ts:1: a recursive mkdir']);
});

describe('documents', () => {
  const found = async (text: string) =>
    (await documentsCheck.run(plantProject({ 'docs/a.md': text, 'src/b.ts': '' }))).problems;

  test.each([
    ['Read `src/b.ts` and [this page](a.md#heading).', []],
    ['Read `src/c.ts`.', ['docs/a.md:1: there is no src/c.ts']],
    ['\nRead [that page](b.md#heading).', ['docs/a.md:2: there is no b.md']],
    ['Pictures go to `test/.output/pictures`; [elsewhere](https://example.test/x).', []],
  ])('%j', async (text, problems) => {
    expect(await found(text)).toEqual(problems);
  });

  test('prose has at most 160 characters in a line; tables and drawings may be wider', async () => {
    const wide = 'x'.repeat(161);
    expect(await found(`${'é'.repeat(160)}\n| ${wide} |\n\`\`\`\n${wide}\n\`\`\`\n${wide}\n`)).toEqual([
      'docs/a.md:6: longer than 160 characters',
    ]);
  });
});

describe('secrets and machine paths', () => {
  // Assembled here, so that this file does not contain a token that the check would report.
  const token = ['hbGciOiJIUzI1NiJ9', 'zdWIiOiIxMDQyIn0aaa'].map((part) => 'eyJ'.concat(part));
  const planted: [what: string, text: string][] = [
    ['the home of root', ['', 'root', 'project', 'a.ts'].join('/')],
    ['a user’s home', ['', 'home', 'jane', 'project'].join('/')],
    ['a user’s home on macOS', ['', 'Users', 'jane', 'project'].join('/')],
    ['a user’s home on Windows', ['C:', 'Users', 'jane'].join('\\')],
    ['a private key', ['-----BEGIN', 'PRIVATE', 'KEY-----\nMC4CAQAwBQYDK2VwBCIEIA=='].join(' ')],
    ['a signed token', [...token, 'c2lnbmF0dXJl'.repeat(4)].join('.')],
    ['an access key', 'AKIA'.concat('ABCDEFGH12345678')],
    ['a password in an address', ['https://jane', 'secret@db.internal/'].join(':')],
    ['a package from a mirror', ['"resolved":', '"https://mirror.internal/a.tgz"'].join(' ')],
  ];

  test.each(planted)('%s is found, and not repeated in the report', async (_what, text) => {
    const root = plantProject({ 'docs/page.md': `one\n${text}\n` });
    const { problems } = await leaksCheck.run(root);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^docs\/page\.md:2: /);
    expect(problems[0]).not.toContain(text);
  });

  test('ordinary text passes', async () => {
    const text = [
      'The file is in ~/.local/share/countersign, or under $HOME.',
      'GET /home and /users/42 are routes; src/root/file.ts is a path of ours.',
      'https://user:pass@example.com/ is refused.',
    ].join('\n');
    expect(await leaksCheck.run(plantProject({ 'docs/page.md': text }))).toEqual({ problems: [], notes: [] });
  });
});

describe('suppressions', () => {
  const silence = (tool: string) => `// ${tool}`;

  test.each([
    ['oxlint-disable-next-line no-eval'],
    ['eslint-disable no-eval'],
    ['prettier-ignore'],
    [['@ts', 'ignore'].join('-')],
  ])('%s without a reason is found', async (tool) => {
    const root = plantProject({ 'src/a.ts': `${silence(tool)}\nexport {};\n` });
    expect((await suppressionsCheck.run(root)).problems).toEqual([`src/a.ts:1: \`${tool}\``]);
  });

  test('a reason on the same line is enough', async () => {
    const root = plantProject({
      'src/a.ts': `${silence('oxlint-disable-next-line no-eval -- the table needs it')}\n`,
    });
    expect((await suppressionsCheck.run(root)).problems).toEqual([]);
  });
});

describe('waits of tests', () => {
  test.each([
    ['await expect.poll(count).toBe(1);', []],
    ["await expect.poll(count, { message: 'the second time' }).toBe(1);", []],
    ['await eventually(() => expect(count).toBe(1));', []],
    [
      'await expect.poll(count, { timeout: 500 }).toBe(1);',
      ['test/a.test.ts:1: a poll with a patience of its own'],
    ],
    ['await expect.poll(count, soon).toBe(1);', ['test/a.test.ts:1: a poll with a patience of its own']],
    ['await vi.waitFor(() => count);', ['test/a.test.ts:1: vi.waitFor']],
    ['await vi.waitUntil(() => count);', ['test/a.test.ts:1: vi.waitUntil']],
    ['await page.waitForTimeout(500);', ['test/a.test.ts:1: a wait for a time']],
    ['expect(await row.innerText()).toBe(name);', ['test/a.test.ts:1: a text of a page that is read once']],
    ['await expect.poll(() => row.innerText()).toBe(name);', []],
  ])('%s', async (text, problems) => {
    expect((await testWaitsCheck.run(plantProject({ 'test/a.test.ts': `${text}\n` }))).problems).toEqual(
      problems,
    );
  });
});

describe('time of test files', () => {
  test('a pure or core file over its time budget is named, a journey is not, and nothing is named without a recorded run', async () => {
    const taking = (project: string, seconds: number) => ({
      project,
      file: `test/${project}.test.ts`,
      tests: 1,
      seconds,
    });
    const files = [taking('pure', 5), taking('core', 5.1), taking('journeys', 60)];
    const recorded = plantProject({ [lastRunFile]: JSON.stringify({ files }) });
    expect((await testBudgetCheck.run(recorded)).problems).toEqual(['test/core.test.ts: 5.1 s; at most 5']);
    expect((await testBudgetCheck.run(plantProject({}))).problems).toEqual([]);
  });
});
