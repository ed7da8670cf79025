import type { StoredProposal } from '#core/store/app/index.ts';
import { unknownMoney } from '../operations/money-pair.ts';
import type { Operations, ProposalWords } from '../operations/operation.ts';

/** The words of a proposal; of one whose details were removed, those that its list entry keeps. */
export function wordsOf(operations: Operations, proposal: StoredProposal): ProposalWords {
  return proposal.prunedAtMs === null ? operations[proposal.operation].words(proposal) : keptWords(proposal);
}

/** No word is guessed: what was removed is missing, and the page says so. */
function keptWords({ headline }: StoredProposal): ProposalWords {
  const { title, perDay } = headline;
  return {
    title,
    targets: [],
    risk: { perDay, untilEnd: unknownMoney, bidFactor: null, notes: [] },
    warnings: [],
    typeToConfirm: null,
    changes: [],
    unchanged: [],
    detail: { kind: 'campaigns' },
    group: null,
  };
}
