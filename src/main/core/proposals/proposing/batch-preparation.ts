import type { Connection, Connections } from '#core/connections/index.ts';
import { viewOf } from '#core/profiles/index.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Proposer, PreparedWrite } from '../operations/operation.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { type Proposing, you } from './proposing.ts';
import { commonOperand } from '../operations/batch/common-operand.ts';
import { titles } from '#shared/wording/index.ts';
import { draftBatch, type SeveralWrites, prepareSeveral } from '../operations/batch/prepare.ts';
import { loadProposal } from '../operations/load-proposal.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { type Sentence, sentence } from '#shared/lib/sentence.ts';

/** Prepares batches of waiting proposals, and of several writes of the app's own. */
export interface BatchPreparation {
  /** Fails with `batch_unequal` or `proposal_not_found`. */
  together(ids: readonly string[]): StoredProposal;
  /** The writes and their batch are proposed at once or not at all. Fails as each of the writes would. */
  several(request: SeveralWrites, connection: Connection): Promise<StoredProposal>;
}

export interface BatchPreparationOptions {
  store: AppStore;
  connections: Pick<Connections, 'of'>;
  add: Proposing['add'];
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

export function createBatchPreparation({
  store,
  connections,
  add,
  formats,
}: BatchPreparationOptions): BatchPreparation {
  return {
    together(ids) {
      const { draft, profile } = draftTogether(store, ids, formats());
      return only(add([draft], you(profile)));
    },
    async several(request, connection) {
      const { member: client, profile } = connection;
      const { drafts, skipped } = await prepareSeveral(
        { client, today: connection.today() },
        request,
        formats(),
      );
      if (connections.of(profile.id) !== connection) throw new AppError('profile_changed');
      return store.transaction(() => {
        const members = add(drafts, you(viewOf(profile)), request);
        const [first] = members;
        return only(
          add([draftBatch({ ...request, skipped, members })], you(first?.profile ?? viewOf(profile))),
        );
      });
    },
  };
}

function only([batch]: readonly StoredProposal[]): StoredProposal {
  if (batch === undefined) throw new Error('One draft makes one proposal');
  return batch;
}

/**
 * The draft of one batch of waiting proposals, in this order. Fails with `batch_unequal`, saying what is wrong, or with
 * `proposal_not_found`.
 */
function draftTogether(
  store: AppStore,
  ids: readonly string[],
  formats: Formats,
): { draft: PreparedWrite; profile: Proposer['profile'] } {
  if (new Set(ids).size !== ids.length) unequal(sentence`One of them is named twice.`);
  const members = ids.map((id) => loadProposal(store, id));
  const [first] = members;
  if (first === undefined || members.length < 2)
    return unequal(sentence`A batch needs two changes at least.`);
  for (const member of members) assertFits(store, member, first);
  const operand = commonOperand(members.map(({ headline }) => headline.comparable));
  if (operand === null) return unequal(sentence`No single change explains all of them.`);
  const { profile } = first;
  const equally = titles.operand(operand, formats);
  return { draft: draftBatch({ equally, members, skipped: [] }), profile };
}

function assertFits(store: AppStore, member: StoredProposal, first: StoredProposal): void {
  const { id, operation, state, profile, headline } = member;
  const named = headline.title;
  if (!isUndecided(state)) unequal(sentence`${named} is no longer awaiting approval.`);
  if (store.proposals.openBatchOf(id) !== null) unequal(sentence`${named} is in another open batch.`);
  if (operation === 'batch' || headline.comparable === null) unequal(sentence`${named} is decided alone.`);
  const isSameProfile = profile.id === first.profile.id && profile.account === first.profile.account;
  if (!isSameProfile) unequal(sentence`${named} is for another profile.`);
  if (commonOperand([first.headline.comparable, headline.comparable]) === null)
    unequal(sentence`${named} makes another change than the first one.`);
}

function unequal(message: Sentence): never {
  throw new AppError('batch_unequal', { message });
}
