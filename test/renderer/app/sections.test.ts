import { expect, test } from 'vitest';
import { sections } from '#renderer/app/sections.ts';
import { shortcuts } from '#shared/lib/shortcuts.ts';

test('the keys of the sections are their places in the rail', () => {
  const keys = sections.map(({ name }) => shortcuts[name].key);
  expect(keys).toEqual(sections.map((_, at) => String(at + 1)));
});
