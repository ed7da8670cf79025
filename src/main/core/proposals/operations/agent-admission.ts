import { z } from 'zod';
import { readStoredText } from '#core/platform/stored-text.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { Operation, PreparedWrite, ProposalWords, Wording } from './operation.ts';
import { lookAlikeLetters, looksAlike, readingsOf } from '#core/platform/names/skeleton.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { admissionWords } from '#shared/wording/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';

const admissionSchema = z.object({
  agentId: z.string(),
  clientId: z.string(),
  /** The agent's own claim: untrusted text. */
  name: z.string(),
  /** Redirect target of its browser; without a port. */
  redirectHost: z.string(),
  scopes: z.array(z.string()).readonly(),
  /** True if it gets a refresh token. */
  renews: z.boolean(),
  words: z.string(),
});

/** Payload of an `agent.admit`, which admits an agent. Contains no secret. */
export type Admission = z.infer<typeof admissionSchema>;

function readAdmission({ payload }: { payload: string }): Admission {
  return readStoredText(admissionSchema, payload);
}

/** Drafts the request for the user's decision, which ends at `endsAtMs` at the latest. */
export function draftAdmission(admission: Admission, endsAtMs: number): PreparedWrite {
  const { scopes, ...others } = admissionSchema.parse(admission);
  return {
    operation: 'agent.admit',
    targets: [],
    payload: canonicalJson({ ...others, scopes: [...scopes] }),
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

export interface Admissions {
  admit(admission: Admission, profileId: string): void;
  isAdmitted(agentId: string): boolean;
  /** Every agent that is allowed at this moment, on any profile. */
  allowed(): readonly Namesake[];
}

/** The admission, for people, beside the agents that are allowed at this moment. */
export function describeAdmission(
  { payload, profile }: Wording,
  allowed: readonly Namesake[],
  formats: Formats,
): ProposalWords {
  const admission = readAdmission({ payload });
  const { name, clientId } = admission;
  // A program that registers anew replaces itself; another one of its name is a second program.
  const same = allowed.find((other) => other.clientId !== clientId && looksAlike(other.name, name));
  const { detail, ...words } = admissionWords(
    {
      ...admission,
      profile,
      isImitation: readsLikeThisApp(programOf(name)),
      namesake: same?.name ?? null,
      lookAlikes: lookAlikeLetters(name),
    },
    formats,
  );
  return { ...words, detail: { kind: 'admission', ...detail }, comparable: null };
}

/** This app's name as a server of a program: what our own recipe for Claude Code registers, `Claude Code (countersign)`. */
const serverName =
  /^(.*\p{L}.*?)\s*(?:\(countersign\)|\[countersign\]|"countersign"|“countersign”|'countersign')$/iu;

/** The program's own name: without the name that its user gave this server, in plain letters and set apart at the end. */
function programOf(name: string): string {
  return serverName.exec(name.trim())?.[1] ?? name;
}

/**
 * Signs and digits that are read as letters, and letters that are drawn like plain ones, which Unicode's table takes for themselves: small
 * capitals, other scripts. Each stands before the letter that it is taken for.
 */
const readAs: ReadonlyMap<string, string> = new Map(
  '1i li 3e €e 5s $s 7t +t †t 9g qg ¢c ©c ₵c ○o ɢg ɴn ᴛt ʀr ᴇe пn πn тt τt εe гr'
    .split(' ')
    .map(([sign = '', letter = '']) => [sign, letter]),
);

/** Capitals in circles and squares, each alphabet from its first letter. */
const enclosedAlphabets = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6];

function drawn(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const first = enclosedAlphabets.find((start) => code >= start && code < start + 26);
  if (first !== undefined) return String.fromCodePoint(0x61 + code - first);
  return readAs.get(letter) ?? letter;
}

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
