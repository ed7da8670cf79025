import { expect, test } from 'vitest';
import { mayWords } from '#renderer/ui/proposal/agent-words.ts';

test.each([
  [['svc:read'], 'It may read.'],
  [['svc:write', 'svc:read'], 'It may read and propose changes.'],
  [
    ['offline_access', 'svc:upload', 'svc:read', 'svc:write'],
    'It may read, propose changes, upload pictures and keep scheduled tasks.',
  ],
  [['svc:read', 'svc:\u202Eadmin'], 'It may read and “svc:⟨U+202E⟩admin”.'],
  [['svc:read', 'constructor'], 'It may read and “constructor”.'],
  [[], 'It may do nothing.'],
])('%j in words', (scopes, words) => {
  expect(mayWords(scopes)).toBe(words);
});
