import { quoted } from '#shared/lib/inert-text.ts';
import type { StateName } from './state-words.ts';

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What the host of a redirect address means. */
export function placeWords(redirectHost: string): string {
  return loopbackHosts.has(redirectHost) ? 'A program on this computer.' : 'A website.';
}

/** Longer names have their place above; a button stays a button. */
const longestOnButton = 32;

/** What the button does: `Let “Claude Code” in`. */
export function admitWords(name: string): string {
  const quotation = quoted(name);
  return quotation.length > longestOnButton ? 'Let it in' : `Let ${quotation} in`;
}

const sentences: Partial<Record<StateName, string>> = {
  proposed: 'Waiting for your decision. Nobody was let in.',
  shown: 'Shown for confirmation. Nobody was let in.',
  approved: 'Approved. It is being let in.',
  verified: 'Let in. It can work until you revoke it on the Agents page.',
  denied: 'Denied. It was not let in.',
  expired: 'Expired. It was not let in.',
  withdrawn: 'Taken back. It was not let in.',
  refused: 'It could not be let in.',
};

/** What a state of an admission means to a person; null where the words for a change fit as well. */
export function admissionSentence(state: StateName): string | null {
  return sentences[state] ?? null;
}
