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
  redirectHost: z.string(),
  scopes: z.array(z.string()).readonly(),
  renews: z.boolean(),
  words: z.string(),
});

/** Payload of an `agent.admit`. Contains no secret. */
export type Admission = z.infer<typeof admissionSchema>;

function readAdmission({ payload }: { payload: string }): Admission {
  return readStoredText(admissionSchema, payload);
}

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
    lifetimeMs: maxWaitMs,
  };
}

/** The longest wait, because an agent's browser waits no longer than this. */
const maxWaitMs = 10 * 60_000;

interface Namesake {
  clientId: string;
  name: string;
}

export interface Admissions {
  admit(admission: Admission, profileId: string): void;
  isAdmitted(agentId: string): boolean;
  allowed(): readonly Namesake[];
}

export function describeAdmission(
  { payload, profile }: Wording,
  allowed: readonly Namesake[],
  formats: Formats,
): ProposalWords {
  const admission = readAdmission({ payload });
  const { name, clientId } = admission;
  // A program that registers again replaces itself. A different program with a similar name would be a second agent.
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

/** Matches the name that our instructions for Claude Code register: `Claude Code (countersign)`. */
const serverName =
  /^(.*\p{L}.*?)\s*(?:\(countersign\)|\[countersign\]|"countersign"|“countersign”|'countersign')$/iu;

function programOf(name: string): string {
  return serverName.exec(name.trim())?.[1] ?? name;
}

/**
 * Signs that look like Latin letters, each followed by the letter that it resembles. They are listed because Unicode's table
 * lacks them.
 */
const readAs: ReadonlyMap<string, string> = new Map(
  '1i li 3e €e 5s $s 7t +t †t 9g qg ¢c ©c ₵c ○o ɢg ɴn ᴛt ʀr ᴇe пn πn тt τt εe гr'
    .split(' ')
    .map(([sign = '', letter = '']) => [sign, letter]),
);

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

/** Admits an agent. The admission is written in the app itself, so nothing can change before it, and the read-back is certain. */
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
