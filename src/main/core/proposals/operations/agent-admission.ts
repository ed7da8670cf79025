import { z } from 'zod';
import { readStoredText } from './load-proposal.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import {
  type PreparedWrite,
  noFieldChanges,
  type ProposalWords,
  type Wording,
  type Operation,
} from './operation.ts';
import { lookAlikeLetters, looksAlike, readingsOf } from '#core/platform/names/skeleton.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { lookAlikeScripts, type Warning, warningOf } from '#shared/wording/index.ts';
import { moneyText } from '#shared/campaign/index.ts';
import { inertStart, inertText } from '#shared/lib/inert-text.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, quotedUpTo, sentence } from '#shared/lib/sentence.ts';
import type { StoredProposal } from '#core/store/app/index.ts';

const admissionSchema = z.object({
  /** The agent's id from then on. */
  agentId: z.string(),
  clientId: z.string(),
  /** The agent's own claim: foreign text. */
  name: z.string(),
  /** Redirect target of its browser; without a port. */
  redirectHost: z.string(),
  scopes: z.array(z.string()).readonly(),
  /** True if it gets a refresh token; missing in requests from before this was recorded. */
  renews: z.boolean().optional(),
  /** The two words that the browser's page shows as well. */
  words: z.string(),
});

/** Payload of an `agent.admit`, which admits an agent. Contains no secret. */
export type Admission = z.infer<typeof admissionSchema>;

/** Reads the stored payload back. */
function readAdmission({ payload }: { payload: string }): Admission {
  return readStoredText(admissionSchema, payload);
}

/** Drafts the request for the user's decision, which ends at `endsAtMs` at the latest. */
export function draftAdmission(
  { agentId, clientId, name, redirectHost, scopes, renews, words }: Admission,
  endsAtMs: number,
): PreparedWrite {
  return {
    operation: 'agent.admit',
    targets: [],
    payload: canonicalJson({
      agentId,
      clientId,
      name,
      redirectHost,
      scopes: [...scopes],
      ...(renews === undefined ? {} : { renews }),
      words,
    }),
    base: '{}',
    rebase: null,
    account: null,
    endsAtMs,
    lifetimeMs: longestMs,
  };
}

/** The browser of an agent waits no longer, in milliseconds. */
const longestMs = 10 * 60_000;

/** An agent that is allowed already, as far as another one can be taken for it. */
export interface Namesake {
  clientId: string;
  name: string;
}

/** Store of the agents. */
export interface Admissions {
  /** Admits the agent, once. */
  admit(admission: Admission, profileId: string): void;
  isAdmitted(agentId: string): boolean;
  /** Every agent that is allowed at this moment, on any profile. */
  allowed(): readonly Namesake[];
}

/** The admission, for people, beside the agents that are allowed at this moment. Allowing one spends nothing by itself. */
export function admissionWords(
  { payload, profile }: Wording,
  allowed: readonly Namesake[],
  formats: Formats,
): ProposalWords {
  const admission = readAdmission({ payload });
  const noMoney = moneyText({ kind: 'amount', micros: 0n }, formats);
  const nothingAtRisk = { before: noMoney, after: noMoney };
  const { redirectHost, words, scopes } = admission;
  return {
    title: sentence`Let ${quotedUpTo(admission.name, maxNameLength)} ${ownWords(accessVerb(admission))} ${ownWords(inertStart(profile.name, maxNameLength))} (${ownWords(profile.kind === 'live' ? 'LIVE' : 'Demo')})`,
    targets: [],
    risk: { perDay: nothingAtRisk, untilEnd: nothingAtRisk, bidFactor: null, notes: [] },
    warnings: admissionWarnings(admission, allowed),
    typeToConfirm: null,
    changes: [],
    unchanged: [],
    detail: {
      kind: 'admission',
      redirectHost: inertText(redirectHost),
      words,
      scopes: scopesInWords(scopes),
      until: untilWords(admission),
    },
    effects: noFieldChanges,
    facts: [],
    comparable: null,
  };
}

/** Maximum length of a name in the title, in code points. */
const maxNameLength = 300;

function accessVerb({ scopes }: Admission): string {
  return scopes.includes('svc:write') ? 'propose changes to' : 'look at';
}

/** Duration of its access, which it chose when it registered (RFC 7591 §2, `grant_types`). */
function untilWords({ renews }: Admission): string {
  if (renews === undefined) return 'Until you revoke access';
  return renews ? 'Until you revoke access.' : 'A few minutes: it cannot renew its sign-in.';
}

type Scope = Extract<ProposalView['detail'], { kind: 'admission' }>['scopes'][number];

/** Meaning of each scope (contract §5.3) for an agent, in the order in which they are shown. */
const known: readonly Scope[] = [
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

/** The scopes in plain words. An unknown scope keeps its name. */
function scopesInWords(scopes: readonly string[]): Scope[] {
  const others = scopes.filter((scope) => !known.some(({ name }) => name === scope));
  return [
    ...known.filter(({ name }) => scopes.includes(name)),
    ...others.map((name) => ({ name, title: name, allows: 'Countersign does not know what this allows.' })),
  ];
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Warnings before an agent is admitted; dangers first. */
function admissionWarnings(admission: Admission, allowed: readonly Namesake[]): Warning[] {
  return [
    ...imitation(admission),
    ...secondOfItsName(admission, allowed),
    ...lookAlikes(admission),
    ...elsewhere(admission),
  ];
}

/** Warns of a name like this app's own: any program can register any name. */
function imitation({ name }: Admission): Warning[] {
  if (!readsLikeThisApp(programOf(name))) return [];
  const text = sentence`It calls itself like this app. Countersign never requests access.`;
  return [warningOf('agent_imitates', text)];
}

/** A program that registers anew replaces itself; another one of its name is a second program. */
function secondOfItsName({ name, clientId }: Admission, allowed: readonly Namesake[]): Warning[] {
  const same = allowed.find((other) => other.clientId !== clientId && looksAlike(other.name, name));
  if (same === undefined) return [];
  const text = sentence`Another program called ${same.name} has access. Deny this one if you did not connect it again.`;
  return [warningOf('agent_namesake', text)];
}

function lookAlikes({ name }: Admission): Warning[] {
  const scripts = lookAlikeScripts(name);
  const letters = lookAlikeLetters(name);
  if (scripts.length === 0 && letters.length === 0) return [];
  const text =
    scripts.length > 0
      ? sentence`Its name has ${ownWords(scripts.join(' and '))} letters. They can look like others.`
      : sentence`Its name has letters that look like others: ${ownWords(letters.map(withCodePoint).join(', '))}.`;
  return [warningOf('look_alikes', text)];
}

/** Adds the code point to a letter, which alone distinguishes it from a look-alike: `ɡ (U+0261)`. */
function withCodePoint(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  return `${letter} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`;
}

function elsewhere({ redirectHost }: Admission): Warning[] {
  if (loopbackHosts.has(redirectHost)) return [];
  const text = sentence`Your answer goes to the website ${redirectHost}, not to this computer. Allow it only if you know it.`;
  return [warningOf('agent_elsewhere', text)];
}

/** This app's name as a server of a program: what our own recipe for Claude Code registers, `Claude Code (countersign)`. */
const serverName =
  /^(.*\p{L}.*?)\s*(?:\(countersign\)|\[countersign\]|"countersign"|“countersign”|'countersign')$/iu;

/** The program's own name: without the name that its user gave this server, in plain letters and set apart at the end. */
function programOf(name: string): string {
  return serverName.exec(name.trim())?.[1] ?? name;
}

/** Signs and digits that are read as letters. */
const readAs: Readonly<Record<string, string>> = {
  '1': 'i',
  l: 'i',
  '3': 'e',
  '€': 'e',
  '5': 's',
  $: 's',
  '7': 't',
  '+': 't',
  '†': 't',
  '9': 'g',
  q: 'g',
  '¢': 'c',
  '©': 'c',
  '₵': 'c',
  '○': 'o',
};

/** Letters that are drawn like plain ones, and that Unicode's table takes for themselves: small capitals, other scripts. */
const drawnAs: Readonly<Record<string, string>> = {
  ɢ: 'g',
  ɴ: 'n',
  ᴛ: 't',
  ʀ: 'r',
  ᴇ: 'e',
  п: 'n',
  π: 'n',
  т: 't',
  τ: 't',
  ε: 'e',
  г: 'r',
};

/** Capitals in circles and squares, each alphabet from its first letter. */
const enclosedAlphabets = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6];

function drawn(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const first = enclosedAlphabets.find((start) => code >= start && code < start + 26);
  if (first !== undefined) return String.fromCodePoint(0x61 + code - first);
  return readAs[letter] ?? drawnAs[letter] ?? letter;
}

/** True if a hasty reader finds this app's name in it. */
function readsLikeThisApp(name: string): boolean {
  const letters = [...name].map(drawn).join('');
  return readingsOf(letters).some((reading) =>
    [...reading]
      .map(drawn)
      .join('')
      .replace(/[^a-z]/g, '')
      .includes('countersign'),
  );
}

/** Lets an agent in: written in the app itself, so there is nothing that could move before, and the read-back is certain. */
export function createAdmitOperation(admissions: Admissions): Operation {
  return {
    reread: async () => ({ kind: 'unchanged' }),
    async send(proposal: StoredProposal) {
      admissions.admit(readAdmission(proposal), proposal.profile.id);
      return null;
    },
    async readBack(proposal) {
      const isAdmitted = admissions.isAdmitted(readAdmission(proposal).agentId);
      return { isAsSent: isAdmitted, evidence: isAdmitted ? 'payload' : 'base', verdicts: [] };
    },
  };
}
