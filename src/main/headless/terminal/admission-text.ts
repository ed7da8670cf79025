import type { ProposalView } from '#shared/app-api/index.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import type { Style } from './style.ts';

type Admission = Extract<ProposalView['detail'], { kind: 'admission' }>;

/** Who asks to be let in, the two words, and what it may do then. */
export function admissionText(
  { redirectHost, words, scopes, until }: Admission,
  { proposedBy }: ProposalView,
  style: Style,
): string[] {
  return [
    `  ${style.strong(words)}`,
    '  Its browser shows the same two words. Deny if they differ or you didn’t start this.',
    '',
    `Calls itself ${quoted(proposedBy.name)}. Nobody has checked this name.`,
    `Your answer goes to ${inertText(redirectHost)}.`,
    'It may:',
    ...scopes.map(({ title, allows }) => `  ${inertText(title)}: ${inertText(allows)}`),
    `Lasts: ${inertText(until)}`,
  ];
}

/** How an admission ended, in one sentence; null where the words for a change fit as well. */
export function admissionSentence({ state }: ProposalView): string | null {
  switch (state) {
    case 'verified':
      return 'Let in.';
    case 'denied':
      return 'Denied. It was not let in.';
    case 'expired':
      return 'Nobody decided in time. It was not let in.';
    case 'withdrawn':
      return 'Taken back. It was not let in.';
    default:
      return null;
  }
}
