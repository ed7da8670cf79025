import { createRecentMap } from '#core/platform/recent-map.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { listedMembers, readBatch } from './batch/payload.ts';
import { batchWords } from './batch/words.ts';
import { admissionWords } from './agent-admission/words.ts';
import { type Describe, type Described, type ProposalWords, unknownMoney } from './operation.ts';
import { statusWords } from './status-change/words.ts';
import { toolCallWords } from './tool-call/words/words.ts';
import { updateWords } from './update/words.ts';
import type { Admissions } from './agent-admission/prepare.ts';
import type { Formats } from '#shared/lib/formats.ts';

export function createDescribe({
  store,
  admissions,
  serviceTimeAt,
  formats,
}: {
  store: AppStore;
  /** The time of the service at a moment of this computer. */
  serviceTimeAt(atMs: number): number;
  admissions: Pick<Admissions, 'allowed'>;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}): Describe {
  const describe: Describe = (write) =>
    // Money at risk counts the service's days.
    wordsOfUndo(write, wordsOf({ ...write, createdAtMs: serviceTimeAt(write.createdAtMs) }));
  function wordsOf(write: Described): ProposalWords {
    switch (write.operation) {
      case 'campaign.update':
        return updateWords(write, formats());
      case 'campaign.status':
        return statusWords(write, formats());
      case 'tool.call':
        return toolCallWords(write, formats());
      case 'agent.admit':
        return admissionWords(write, admissions.allowed(), formats());
      case 'batch':
        return describeBatch(write);
      default:
        return assertNever(write.operation);
    }
  }
  const describeMember = remembering((member) => describeStored(describe, member), formats);
  function describeBatch(write: Described): ProposalWords {
    const payload = readBatch(write);
    const members = listedMembers(store, payload.members);
    const isOpen = write.state === undefined || isUndecided(write.state);
    return batchWords(
      { ...payload, isOpen },
      members.map((stored) => ({ stored, words: describeMember(stored) })),
      formats(),
    );
  }
  return describe;
}

/** The words of a change that takes another one back: its title says so, and what it leaves as it is stands in its notes. */
function wordsOfUndo({ undoes, operation }: Described, words: ProposalWords): ProposalWords {
  if (undoes === undefined || undoes === null) return words;
  // A batch says itself what it is for, and lists what it leaves.
  if (operation === 'batch') return words;
  const notes = undoes.skipped.map(({ what, because }) => `${what} is left as it is. ${because}`);
  const { title, risk } = words;
  return { ...words, title: `To undo: ${title}`, risk: { ...risk, notes: [...notes, ...risk.notes] } };
}

/** The words of a stored proposal; of one whose details were removed, those that its list entry keeps. */
export function describeStored(describe: Describe, proposal: StoredProposal): ProposalWords {
  return proposal.prunedAtMs === null ? describe(proposal) : wordsOfPruned(proposal);
}

/** Guesses no word: a page says that the others were removed. */
function wordsOfPruned({ headline }: StoredProposal): ProposalWords {
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
    effects: { certainty: 'unknown', changes: [] },
    facts: [],
    comparable: null,
  };
}

/** Maximum number of cached members' words: they never change in one format of numbers, and an open confirmation asks for them repeatedly. */
const maxRemembered = 1_200;

function remembering(
  describeMember: (member: StoredProposal) => ProposalWords,
  formats: () => Formats,
): (member: StoredProposal) => ProposalWords {
  const remembered = createRecentMap<string, ProposalWords>(maxRemembered);
  let rememberedIn = formats();
  return (member) => {
    if (rememberedIn !== formats()) remembered.clear();
    rememberedIn = formats();
    const known = remembered.get(member.id);
    if (known !== undefined) return known;
    const words = describeMember(member);
    remembered.set(member.id, words);
    return words;
  };
}
