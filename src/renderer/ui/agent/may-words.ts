import { quoted } from '#shared/lib/inert-text.ts';

const words: Record<string, string> = {
  'svc:read': 'read',
  'svc:write': 'propose changes',
  'svc:upload': 'upload pictures',
  offline_access: 'keep scheduled tasks',
};

/** What scopes allow, as a sentence: `It may read and propose changes.` A scope nobody here knows is quoted. */
export function mayWords(scopes: readonly string[]): string {
  const known = Object.keys(words).filter((scope) => scopes.includes(scope));
  const unknown = scopes.filter((scope) => !Object.hasOwn(words, scope));
  const parts = [...known.map((scope) => words[scope] ?? ''), ...unknown.map((scope) => quoted(scope))];
  const last = parts.pop();
  if (last === undefined) return 'It may do nothing.';
  return `It may ${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}.`;
}
