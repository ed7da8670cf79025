import { expect, test } from 'vitest';
import { admissionEnding, admitWords } from '#renderer/ui/proposal/agent-words.ts';

test.each([
  ['Claude Code', 'Allow “Claude Code”'],
  ['a\u202eb', 'Allow agent'],
  ['Zo\u00eb', 'Allow “Zo\u00eb”'],
  ['\ufdfd\ufdfd', 'Allow agent'],
  ['\u062d\u0645\u0644\u0629 5', 'Allow agent'],
  ['x” in', 'Allow agent'],
  ['x" in', 'Allow “x" in”'],
  ['a name that would make the button as wide as the window', 'Allow agent'],
])('the button for %j says %j', (name, words) => {
  expect(admitWords(name)).toBe(words);
});

test('an admission ends in words of its own, where a change would speak of campaigns', () => {
  expect(admissionEnding('verified')?.sentence).toBe('Access granted.');
  expect(admissionEnding('expired')?.sentence).toBe('Expired. It has no access.');
  expect(admissionEnding('unknown')).toBeNull();
});
