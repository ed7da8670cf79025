import type { ExtraScope } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';

/** What a person can add to reading, each with what it means (contract §5.3). */
export const scopeChoices: readonly { scope: ExtraScope; label: string; means: string }[] = [
  {
    scope: 'svc:write',
    label: 'Propose changes through tools',
    means: 'Each change still waits for your own confirmation in Countersign.',
  },
  {
    scope: 'svc:upload',
    label: 'Upload pictures',
    means: 'Together with changes only; uploads wait for your confirmation too.',
  },
  {
    scope: 'offline_access',
    label: 'Scheduled tasks',
    means: 'Tasks stay with the service while Countersign is closed.',
  },
];

const words: Record<string, string> = {
  'svc:read': 'read',
  'svc:write': 'propose changes',
  'svc:upload': 'upload pictures',
  offline_access: 'keep scheduled tasks',
};

/** What a sign-in allows, as a sentence: `It may read and propose changes.` A scope nobody here knows is quoted. */
export function mayWords(scopes: readonly string[]): string {
  const known = Object.keys(words).filter((scope) => scopes.includes(scope));
  const unknown = scopes.filter((scope) => !Object.hasOwn(words, scope));
  const parts = [...known.map((scope) => words[scope] ?? ''), ...unknown.map((scope) => quoted(scope))];
  const last = parts.pop();
  if (last === undefined) return 'It may do nothing.';
  return `It may ${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}.`;
}

/** What is not granted yet. */
export function missingScopes(granted: readonly string[]): ExtraScope[] {
  return scopeChoices.map(({ scope }) => scope).filter((scope) => !granted.includes(scope));
}

/** The choice after a box was ticked or cleared: uploads go together with changes, unless those are granted already. */
export function withScope(
  chosen: readonly ExtraScope[],
  { scope, on, granted }: { scope: ExtraScope; on: boolean; granted: readonly string[] },
): ExtraScope[] {
  const next = new Set(chosen);
  if (on) next.add(scope);
  else next.delete(scope);
  if (scope === 'svc:upload' && on && !granted.includes('svc:write')) next.add('svc:write');
  if (scope === 'svc:write' && !on) next.delete('svc:upload');
  return scopeChoices.map((choice) => choice.scope).filter((known) => next.has(known));
}
