import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differingPart } from '#shared/lib/differing-part.ts';
import { runs } from '#test/setup/property-runs.ts';

test.each<[string, string, string, string]>([
  ['https://go.one.example/x', 'https://go.two.example/x', 'one', 'two'],
  ['https://g.example', 'https://t.example', 'g', 't'],
  ['http://a.example/', 'https://a.example/', 'http', 'https'],
  ['summer sale', 'summit sale', 'summer', 'summit'],
  ['DE, AT', 'DE, AT, CH', '', ', CH'],
  ['$0.045', '$0.450', '045', '450'],
  ['aa', 'aaa', 'aa', 'aaa'],
  ['same', 'same', '', ''],
  ['', 'new', '', 'new'],
])('%s and %s differ in “%s” and “%s”', (before, after, removed, added) => {
  expect(differingPart(before, after).part).toBe(removed);
  expect(differingPart(after, before).part).toBe(added);
});

test('the parts join to the original texts, with a common beginning and end', () => {
  const word = fc.constantFrom('https://', 'go', 'é', '😀', '.', '/', 'a', '12', ' ', '-');
  const texts = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const [mine, theirs] = [differingPart(one, other), differingPart(other, one)];
      expect(mine.head + mine.part + mine.tail).toBe(one);
      expect(mine.head + theirs.part + mine.tail).toBe(other);
      expect(theirs).toMatchObject({ head: mine.head, tail: mine.tail });
    }),
    runs(500),
  );
});
