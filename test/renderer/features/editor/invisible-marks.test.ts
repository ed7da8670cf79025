import { expect, test } from 'vitest';
import { invisibleMarks } from '#renderer/features/editor/field-words.ts';

test('a plain name holds none', () => {
  expect(invisibleMarks('DE push – summer (v2) ☀')).toEqual([]);
});

test('each invisible character is named once', () => {
  expect(invisibleMarks('a\u202Eb\u200Bc\u202E')).toEqual(['U+202E', 'U+200B']);
});
