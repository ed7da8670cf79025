import { quoted } from '#shared/lib/inert-text.ts';
import type { ProposalState } from '#shared/proposals/states.ts';

/** One sentence, and what to do next. */
export interface Ending {
  sentence: string;
  next: string | null;
}

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Explains the host of a redirect address. */
export function placeWords(redirectHost: string): string {
  return loopbackHosts.has(redirectHost) ? 'a program on this computer' : 'a website';
}

/** Other names have their place above: a button stays a button, of a width and a direction that letters of ours have. */
const nameForButton = /^[\x20-\x7e\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]{1,30}$/;

/** The text of the button: `Allow “Claude Code”`. */
export function admitWords(name: string): string {
  return nameForButton.test(name) ? `Allow ${quoted(name)}` : 'Allow agent';
}

const again = 'Connect the agent again if you still want it.';

/** Explains a state of an admission; null if the words for a change fit as well. */
const endings: Partial<Record<ProposalState, Ending>> = {
  approved: { sentence: 'Approved. Access is being granted.', next: null },
  verified: { sentence: 'Access granted.', next: null },
  denied: { sentence: 'Denied. It has no access.', next: null },
  expired: { sentence: 'Expired. It has no access.', next: again },
  withdrawn: { sentence: 'Withdrawn. It has no access.', next: again },
};

/** The state or end of an admission, and its consequence; null if the words for a change fit as well. */
export function admissionEnding(state: ProposalState): Ending | null {
  return endings[state] ?? null;
}

interface Asker {
  kind: 'person' | 'agent' | 'schedule';
  /** Foreign text where it is not a person's. */
  name: string;
}

/** The proposers, each once: `“Claude Code” (agent), you`. */
export function askerNames(askers: readonly Asker[]): string {
  const names = askers.map(nameOf);
  return [...new Set(names)].join(', ');
}

function nameOf({ kind, name }: Asker): string {
  if (kind === 'person') return 'you';
  return kind === 'schedule' ? `schedule ${quoted(name)}` : `${quoted(name)} (agent)`;
}

/** The proposer; for a batch (`members`) the agents, not the user who put it together. */
export function askedWords(proposer: Asker, members: readonly Asker[] | null): string {
  return members?.some(({ kind }) => kind === 'agent') === true
    ? `proposed by ${askerNames(members)}; batched by you`
    : `proposed by ${askerNames(members ?? [proposer])}`;
}

const words: Record<string, string> = {
  'svc:read': 'read',
  'svc:write': 'propose changes',
  'svc:upload': 'upload pictures',
  offline_access: 'keep scheduled tasks',
};

/** Scopes a sign-in lacks, as a sentence: `It must also be allowed to upload pictures (svc:upload).` */
export function mustAlsoWords(missing: readonly string[]): string {
  return `It must also be allowed to ${missing.map((scope) => `${words[scope] ?? quoted(scope)} (${scope})`).join(' and to ')}.`;
}

/** Scopes as a sentence: `It may read and propose changes.` An unknown scope is quoted. */
export function mayWords(scopes: readonly string[]): string {
  const known = Object.keys(words).filter((scope) => scopes.includes(scope));
  const unknown = scopes.filter((scope) => !Object.hasOwn(words, scope));
  const parts = [...known.map((scope) => words[scope] ?? ''), ...unknown.map((scope) => quoted(scope))];
  const last = parts.pop();
  if (last === undefined) return 'It may do nothing.';
  return `It may ${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}.`;
}
