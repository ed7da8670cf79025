import { createRecentMap } from '#core/platform/recent-map.ts';
import type { AppStore, ListedProposal, StoredProposal } from '#core/store/app/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import {
  type BatchPayload,
  listedMembersOf,
  readBatch,
  membersOf,
  loadProposal,
} from './stored-proposals.ts';
import {
  askersOf,
  describeBatch,
  type DescribedStatusBatch,
  describeStatusBatch,
  type StatusBatch,
  statusMemberView,
} from './batch/describe-batch.ts';
import { type Admissions, describeAdmission } from './agent-admission.ts';
import { describeCall, describeStatus, describeUpdate } from './describe-write.ts';
import type { Describe, Described, ProposalWords } from './operation.ts';
import { titles, unknownMoney, wordsWithoutChange } from '#shared/wording/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

export function createDescribe({
  store,
  admissions,
  serviceTimeAt,
  formats,
}: {
  store: AppStore;
  serviceTimeAt(atMs: number): number;
  admissions: Pick<Admissions, 'allowed'>;
  formats(): Formats;
}): Describe {
  const describe: Describe = (write) => {
    const { prunedAtMs = null, headline } = write;
    return prunedAtMs !== null && headline !== undefined
      ? wordsOfPruned(headline)
      : wordsOfUndo(write, wordsOf(write));
  };
  function wordsOf(write: Described): ProposalWords {
    const atService = { ...write, createdAtMs: serviceTimeAt(write.createdAtMs) };
    switch (write.operation) {
      case 'campaign.update':
        return describeUpdate(atService, formats());
      case 'campaign.status':
        return describeStatus(atService, formats());
      case 'tool.call':
        return describeCall(atService, formats());
      case 'agent.admit':
        return describeAdmission(write, admissions.allowed(), formats());
      case 'batch':
        return describeBatchOf(write);
      default:
        return assertNever(write.operation);
    }
  }
  const describeMember = remembering<StoredProposal, ProposalWords>({
    max: maxMembers,
    keyOf: ({ id }) => id,
    make: describe,
    formats,
  });
  const describeStatuses = remembering<StatusBatch, DescribedStatusBatch>({
    max: maxStatusBatches,
    keyOf: ({ members, included }) => JSON.stringify([members.map(({ id }) => id), [...included]]),
    make: (batch) =>
      describeStatusBatch(
        { ...batch, members: batch.members.map(({ id }) => loadProposal(store, id)) },
        formats(),
      ),
    formats,
  });

  function describeAsOne(write: Described, payload: BatchPayload, isOpen: boolean): ProposalWords | null {
    const members = listedMembersOf(store, write);
    const isOne = ({ operation, quotation, prunedAtMs }: ListedProposal): boolean =>
      operation === 'campaign.status' && quotation === null && prunedAtMs === null;
    if (members.length < payload.members.length || !members.every(isOne)) return null;
    const included = new Set(
      members.filter(({ state }) => !isOpen || isUndecided(state)).map(({ id }) => id),
    );
    const { equally, asOne, skipped } = payload;
    const { createdAtMs, profile } = write;
    const { campaignCount, targetsOf, words } = describeStatuses({
      equally,
      ...(asOne && { asOne }),
      members,
      included,
      createdAtMs,
      zone: profile.zone,
    });
    const views = members.map((member) =>
      statusMemberView(member, targetsOf.get(member.id) ?? [], formats()),
    );
    const askedBy = askersOf(members);
    return {
      ...words,
      detail: { kind: 'batch', equally, members: views, skipped, askedBy, campaignCount },
      comparable: null,
    };
  }

  function describeBatchOf(write: Described): ProposalWords {
    const payload = readBatch(write);
    const isOpen = write.state === undefined || isUndecided(write.state);
    const asOne = describeAsOne(write, payload, isOpen);
    if (asOne !== null) return asOne;
    return describeBatch(
      { ...payload, isOpen },
      membersOf(store, write).map((stored) => ({ stored, words: describeMember(stored) })),
      formats(),
    );
  }
  return describe;
}

function wordsOfUndo({ undoes, operation, proposedBy }: Described, words: ProposalWords): ProposalWords {
  if (undoes === undefined || undoes === null) return words;
  if (operation === 'batch') return words;
  const notes = undoes.skipped.map(
    ({ what, because }) => sentence`${ownWords(what)} is left as it is. ${ownWords(because)}`,
  );
  const { title, risk } = words;
  return {
    ...words,
    title: proposedBy.kind === 'schedule' ? titles.dueReturn(title) : titles.undo(title),
    risk: { ...risk, notes: [...notes, ...risk.notes] },
  };
}

function wordsOfPruned({ title, perDay }: StoredProposal['headline']): ProposalWords {
  return {
    ...wordsWithoutChange(title, unknownMoney),
    risk: { perDay, untilEnd: unknownMoney, bidFactor: null, notes: [] },
    detail: { kind: 'campaigns' },
    effects: { certainty: 'unknown', changes: [] },
    comparable: null,
  };
}

/** Limits the cache of members' descriptions, which exists because an open confirmation asks for them repeatedly. */
const maxMembers = 1_200;

/** Limits the cache of status batches, because each may have a hundred thousand campaigns. */
const maxStatusBatches = 2;

function remembering<Subject, Made>({
  max,
  keyOf,
  make,
  formats,
}: {
  max: number;
  keyOf(subject: Subject): string;
  make(subject: Subject): Made;
  formats: () => Formats;
}): (subject: Subject) => Made {
  const remembered = createRecentMap<string, Made>(max);
  let rememberedIn = formats();
  return (subject) => {
    if (rememberedIn !== formats()) remembered.clear();
    rememberedIn = formats();
    const key = keyOf(subject);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const made = make(subject);
    remembered.set(key, made);
    return made;
  };
}
