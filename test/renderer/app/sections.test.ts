import { expect, test } from 'vitest';
import { sections } from '#renderer/app/sections.ts';
import { shortcuts } from '#shared/lib/shortcuts.ts';

test('the shortcut key of each section is the section’s position in the navigation', () => {
  const keys = sections.map(({ name }) => shortcuts[name].key);
  expect(keys).toEqual(sections.map((_, at) => String(at + 1)));
});
