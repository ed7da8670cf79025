import { expect, test } from 'vitest';
import { admissionEnding, admitWords } from '#renderer/ui/proposal/agent-words.ts';

test.each([
  ['Claude Code', 'Let “Claude Code” in'],
  ['a\u202eb', 'Let it in'],
  ['Zo\u00eb', 'Let “Zo\u00eb” in'],
  ['\ufdfd\ufdfd', 'Let it in'],
  ['\u062d\u0645\u0644\u0629 5', 'Let it in'],
  ['x” in', 'Let it in'],
  ['x" in', 'Let “x" in” in'],
  ['a name that would make the button as wide as the window', 'Let it in'],
])('the button for %j says %j', (name, words) => {
  expect(admitWords(name)).toBe(words);
});

test('an admission ends in words of its own, where a change would speak of campaigns', () => {
  expect(admissionEnding('verified')?.sentence).toBe('Let in.');
  expect(admissionEnding('expired')?.sentence).toBe('Nobody decided in time. It was not let in.');
  expect(admissionEnding('unknown')).toBeNull();
});
