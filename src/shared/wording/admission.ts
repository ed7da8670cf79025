import { inertText } from '../lib/inert-text.ts';
import type { Formats } from '../lib/formats.ts';
import { ownWords, sentence } from '../lib/sentence.ts';
import { wordsWithoutChange, type WriteWords } from './effects.ts';
import { noMoney } from './money.ts';
import { type Warning, warningOf } from './severities.ts';
import { titles } from './titles.ts';
import { lookAlikeScripts } from './warnings/destination.ts';

/** Name and host are untrusted text. */
interface AdmissionRequest {
  name: string;
  redirectHost: string;
  scopes: readonly string[];
  renews: boolean;
  words: string;
  profile: { name: string; kind: 'demo' | 'live' };
  isImitation: boolean;
  namesake: string | null;
  lookAlikes: readonly string[];
}

interface ScopeWords {
  name: string;
  title: string;
  allows: string;
}

export function admissionWords(
  request: AdmissionRequest,
  formats: Formats,
): WriteWords & { detail: { redirectHost: string; words: string; scopes: ScopeWords[]; until: string } } {
  const { name, redirectHost, scopes, renews, words, profile } = request;
  const access = scopes.includes('svc:write') ? 'propose changes to' : 'look at';
  return {
    ...wordsWithoutChange(titles.admission(name, access, profile), noMoney(formats)),
    warnings: admissionWarnings(request),
    detail: {
      redirectHost: inertText(redirectHost),
      words,
      scopes: scopesInWords(scopes),
      // The agent chose the duration when it registered (RFC 7591 §2, `grant_types`).
      until: renews ? 'Until you revoke access.' : 'A few minutes: it cannot renew its sign-in.',
    },
  };
}

/** Contract §5.3, in display order. */
const knownScopes: readonly ScopeWords[] = [
  {
    name: 'svc:read',
    title: 'Look',
    allows: 'Campaigns, settings, reports and tasks.',
  },
  {
    name: 'svc:write',
    title: 'Propose changes',
    allows: 'Bids, budgets, targeting, schedules, texts and status. Each proposal needs your approval.',
  },
  {
    name: 'svc:upload',
    title: 'Propose pictures',
    allows: 'Icons and images.',
  },
  {
    name: 'offline_access',
    title: 'Propose scheduled tasks',
    allows: 'Reports at set times, and changes that are prepared later.',
  },
];

function scopesInWords(scopes: readonly string[]): ScopeWords[] {
  const others = scopes.filter((scope) => !knownScopes.some(({ name }) => name === scope));
  return [
    ...knownScopes.filter(({ name }) => scopes.includes(name)),
    ...others.map((name) => ({ name, title: name, allows: 'Countersign does not know what this allows.' })),
  ];
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

function admissionWarnings({
  name,
  redirectHost,
  isImitation,
  namesake,
  lookAlikes,
}: AdmissionRequest): Warning[] {
  const scripts = lookAlikeScripts(name);
  const letters = lookAlikes.map(letterWithCodePoint).join(', ');
  return [
    ...(isImitation ? [imitationWarning] : []),
    ...(namesake === null
      ? []
      : [
          warningOf(
            'agent_namesake',
            sentence`Another program called ${namesake} has access. Deny this one if you did not connect it again.`,
          ),
        ]),
    ...(scripts.length + lookAlikes.length === 0
      ? []
      : [
          warningOf(
            'look_alikes',
            scripts.length > 0
              ? sentence`Its name has ${ownWords(scripts.join(' and '))} letters. They can look like others.`
              : sentence`Its name has letters that look like others: ${ownWords(letters)}.`,
          ),
        ]),
    ...(loopbackHosts.has(redirectHost)
      ? []
      : [
          warningOf(
            'agent_elsewhere',
            sentence`Your answer goes to the website ${redirectHost}, not to this computer. Allow it only if you know it.`,
          ),
        ]),
  ];
}

/** Warns, because any program can register under any name. */
const imitationWarning = warningOf(
  'agent_imitates',
  sentence`It calls itself like this app. Countersign never requests access.`,
);

/** `ɡ (U+0261)`: only the code point distinguishes a look-alike. */
function letterWithCodePoint(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  return `${letter} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
}
