import type { Fault } from './faults.ts';

type ExplainedSurvivor = Pick<Fault, 'file' | 'kind' | 'original'> & { reason: string };

const explained: readonly ExplainedSurvivor[] = [
  {
    file: 'src/main/core/agents/emergency-stop/emergency-stop.ts',
    kind: 'removed check',
    original: 'if (!(failure instanceof AppError)) throw failure;',
    reason: 'Only a bug throws anything else.',
  },
  {
    file: 'src/main/core/gateway/gateway.ts',
    kind: 'dropped return',
    original: 'if (isEnded || (endpoint !== null && !onAnotherPort)) return;',
    reason:
      'An open endpoint occupies its port, and after the end the store is closed: opening again fails and changes nothing.',
  },
  {
    file: 'src/main/core/agents/guardrails/guardrails.ts',
    kind: 'doubled limit',
    original: '1',
    reason:
      'The tightest limits leave no hour in which an agent may propose, so that no other of them decides.',
  },
  {
    file: 'src/main/core/ledger/verify/verify-export.ts',
    kind: 'doubled limit',
    original: '64 * 1024 * 1024',
    reason: 'Bounds memory. A test proves that a longer line is refused unread; the size itself is a choice.',
  },
  {
    file: 'src/main/core/oauth-server/tokens/refresh-repeats.ts',
    kind: 'doubled limit',
    original: '256',
    reason: 'Bounds a cache. A token that is not in it is read from the store.',
  },
  {
    file: 'src/main/core/backend/service.ts',
    kind: 'doubled limit',
    original: '25',
    reason: 'A figure of a demo service.',
  },
];

export function explanationOf({ file, kind, original }: Fault): string | undefined {
  return explained.find((entry) => entry.file === file && entry.kind === kind && entry.original === original)
    ?.reason;
}
