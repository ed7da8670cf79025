import { expect, test } from 'vitest';
import { createLinkGuard } from '#electron/windows/links.ts';

/** Links whose person answers when the test lets them. */
function linksOf(open: (address: string) => Promise<void> = async () => {}) {
  const opened: string[] = [];
  const questions: { address: string; answer: (yes: boolean) => void }[] = [];
  const links = createLinkGuard({
    async open(address) {
      await open(address);
      opened.push(address);
    },
    ask: ({ address }) => new Promise((answer) => questions.push({ address, answer })),
  });
  return { links, opened, questions };
}

test('the browser opens exactly the address that the user confirmed', async () => {
  const { links, opened, questions } = linksOf();
  const following = links.follow('https://example.com/help');
  expect(questions.map(({ address }) => address)).toEqual(['https://example.com/help']);
  expect(opened).toEqual([]);
  questions[0]?.answer(true);
  expect(await following).toBe(true);
  expect(opened).toEqual(['https://example.com/help']);
});

test('nothing opens after Cancel', async () => {
  const { links, opened, questions } = linksOf();
  const following = links.follow('https://example.com/');
  questions[0]?.answer(false);
  expect(await following).toBe(false);
  expect(opened).toEqual([]);
});

test('the user is not asked about an address that the policy refuses', async () => {
  const { links, questions } = linksOf();
  expect(await links.follow('file:///etc/passwd')).toBe(false);
  expect(questions).toEqual([]);
});

test('a page that opens a hundred addresses causes one question at a time', async () => {
  const { links, questions } = linksOf();
  const first = links.follow('https://example.com/1');
  const rest = await Promise.all(Array.from({ length: 99 }, () => links.follow('https://example.com/2')));
  expect(rest.every((opened) => !opened)).toBe(true);
  expect(questions).toHaveLength(1);
  questions[0]?.answer(false);
  await first;
  void links.follow('https://example.com/3');
  expect(questions).toHaveLength(2);
});

test('a browser that does not start causes no crash, and the next link works', async () => {
  const { links, questions } = linksOf(() => Promise.reject(new Error('No browser')));
  const following = links.follow('https://example.com/');
  questions[0]?.answer(true);
  expect(await following).toBe(false);
  void links.follow('https://example.com/');
  expect(questions).toHaveLength(2);
});
