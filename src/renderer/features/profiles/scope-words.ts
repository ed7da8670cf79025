import type { ExtraScope } from '#shared/app-api/index.ts';

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
