import { describe, expect, test } from 'vitest';
import { commentsCheck } from '../../../scripts/check/comments.ts';
import { plantProject } from './planted-project.ts';

const good = [
  'A native button. `type` is `button` unless said otherwise, so it never submits by surprise.',
  'An opaque cursor of fixed length; clients must not interpret it.',
  'Like `find`, without the payload. Use it for lists.',
  'Replaces an existing state with this name, because names are unique.',
  'Bytes per label index: 1, 2 or 4, by the number of labels.',
  'Cancels the current load. Rows already read are kept, so that the page stays usable.',
  "Undecided proposals, oldest first. With `agentId`, only that agent's.",
  "Untrusted text: the server's error description; empty if it sent none.",
  'By the monotonic clock, because the time of day may be set back.',
  'Fails with `agents_frozen`, or with `policy_unusable`.',
  'Joins an outer transaction.',
  'Reading all campaigns is cheaper above this number.',
  'Must equal the limit of the core for one text.',
  'Refuses null, which MCP does not allow.',
  'Null if the agent was ended, although its row stays.',
  'True for a web page, such as the sign-in page that a network would show.',
  'Small enough to show whether the service honours the parameter; otherwise the step fails.',
  'For example `countersign-backup-2026-11-30-1402.countersign`.',
  'The extension of clients that accept a task (docs/agents.md).',
  'Statuses of a refusal (MCP, Resources, Error Handling).',
  'Signs with HS256 (RFC 7515).',
  'Names are compared by their skeletons, since letters look alike.',
  'The list keeps its order even if entries disappear.',
  'Waits for the read-back rather than for the answer.',
  'A write needs no second check.',
  'A crash in between would lose the record.',
  'Runs at most once, even if a page asks twice.',
  'A file without rows, for example “empty.csv”, is accepted.',
  'Empty unless every campaign is known.',
  'So long as that lasts, every call throws.',
];

const bad: [words: string, problem: string][] = [
  ['The same without its details: much faster.', 'a sentence begins'],
  ['What was expected, and its remedy.', 'a sentence begins'],
  ['Who decided the change.', 'a sentence begins'],
  ['Whoever asks next begins again.', 'a sentence begins'],
  ['Nobody at the moment.', 'a sentence begins'],
  ['Another profile may be active.', 'a sentence begins'],
  ['In place of an earlier state of this name.', 'a sentence begins'],
  ['In the place of the data.', 'a sentence begins'],
  ['Reads the list. What is missing is read later.', 'a sentence begins'],
  ['Adds a row; The same for its parts.', 'a sentence begins'],
  ['Null where there is none.', '“where” means'],
  ['True where the account is known.', '“where” means'],
  ['The name, false where nothing was asked.', '“where” means'],
  ['The words of the server; empty where it sent none.', '“where” means'],
  ['The date, undefined where it is not read.', '“where” means'],
  ['An agent may propose so many changes per hour.', 'no measure'],
  ['Bytes of one code among so many labels.', 'no measure'],
  ['Waits so long, in milliseconds.', 'no measure'],
  ['The money at risk may rise by so much in an hour.', 'no measure'],
  ['Shows the words as they came.', '“as it is”'],
  ['Keeps the parameter as it is.', '“as it is”'],
  ['Sends the text as it stands.', '“as it is”'],
  ['Stores fields as they are, and reads them back.', '“as it is”'],
  ['A clock that can be put ahead of another one.', '“another one”'],
  ['Tells a view from another one.', '“another one”'],
  ['Returns the fields of a form.', 'unexported'],
  ['Newest first.', 'unexported'],
  ['The columns that are shown.', 'unexported'],
  ['Nothing is kept yet.', 'unexported'],
  ['Ids of campaigns.', 'unexported'],
];

describe('comments', () => {
  test('there are thirty good and thirty bad examples', () => {
    expect([good.length, bad.length]).toEqual([30, 30]);
  });

  test.each(good)('accepted: %s', async (words) => {
    expect(await problemsOf({ 'src/a.ts': `/** ${words} */\nconst a = 1;\n` })).toEqual([]);
  });

  test.each(bad)('refused: %s', async (words, problem) => {
    const found = await problemsOf({ 'src/a.ts': `/** ${words} */\nconst a = 1;\n` });
    expect(found.join('\n')).toContain(problem);
  });

  test('a comment may describe an export and its members', async () => {
    const found = await problemsOf({
      'src/a.ts': [
        '/** The form of a view. */',
        'export interface Form {\n  /** Newest first. */\n  rows: string[];\n}',
        '/** The form of a page. */',
        'class Page {}',
        'export { Page };',
      ].join('\n'),
    });
    expect(found).toEqual([]);
  });

  test('a comment at a private member or inside a function has to give a reason', async () => {
    const found = await problemsOf({
      'src/a.ts': [
        'export class Page {\n  /** Newest first. */\n  #rows = [];\n}',
        'export function draw() {\n  /** Newest first. */\n  const rows = [];\n}',
      ].join('\n'),
    });
    expect(found.map((problem) => problem.split(': ')[0])).toEqual(['src/a.ts:2', 'src/a.ts:6']);
  });

  test('line comments and comments in tests are checked for wording, and a test helper may be described', async () => {
    const found = await problemsOf({
      'src/a.ts': '// What is left.\nconst a = 1;\n',
      'test/a.test.ts': '/** The rows of a page. */\nconst a = 1;\n// Nobody asks.\n',
    });
    expect(found.map((problem) => problem.split(': ')[0])).toEqual(['src/a.ts:1', 'test/a.test.ts:3']);
  });
});

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  return (await commentsCheck.run(plantProject(files))).problems;
}
