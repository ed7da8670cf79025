import { passedSince } from '#core/platform/clock.ts';
import type { LimitClock } from '#core/platform/limit-clock.ts';
import type { MemberClient } from '#core/service-client/index.ts';
import type { ComparedField, FieldOperand, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { ChangeView } from '#shared/campaign/index.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import { AppError, type AppErrorDetails, type ErrorCode } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import type { Sentence } from '#shared/lib/sentence.ts';
import type { WriteWords } from '#shared/wording/index.ts';
import type { Connection } from '#core/connections/index.ts';

export interface PreparedWrite extends Pick<
  StoredProposal,
  'operation' | 'targets' | 'payload' | 'base' | 'rebase'
> {
  /** The account of these campaigns, as the read said; null where it did not. */
  account: string | null;
  /** A moment after which it is not waited for any more; null for the usual lifetime. */
  endsAtMs: number | null;
  /** Maximum time to wait for a decision, in milliseconds, if it differs from the usual lifetime. */
  lifetimeMs?: number;
  /** Set where it takes back the effect of another proposal. */
  undoes?: StoredProposal['undoes'];
  /** Campaigns that were read in full for it and are not in its base: kept on this computer with the proposal. */
  reads?: readonly FullRead[];
}

/** A campaign that was read in full: everything that the service gave, as JSON text. */
export interface FullRead {
  cid: number;
  body: string;
}

/**
 * A campaign right before a write to it, for the copy of its day. `campaign` is null where it could not be had: a copy keeps no write
 * from being sent, and the intent names the campaign.
 */
export interface CampaignBefore {
  cid: number;
  campaign: JsonObject | null;
  /** Set where it was read earlier than for this write. */
  readAtMs?: number;
}

/**
 * Lifetime of a proposal that does not expire, in milliseconds: a hundred years. A number, because neither JSON nor the fingerprint
 * holds an infinity.
 */
export const unlimitedMs = 100 * 365 * 24 * 60 * 60_000;

/** The lifetime that a successor keeps: none of its own, unless the proposal before it does not expire. */
export function lifetimeOf({
  createdAtMs,
  expiresAtMs,
}: Pick<StoredProposal, 'createdAtMs' | 'expiresAtMs'>): Pick<PreparedWrite, 'lifetimeMs'> {
  return expiresAtMs - createdAtMs >= unlimitedMs ? { lifetimeMs: unlimitedMs } : {};
}

/** The mark of a draft that is the same change as this proposal, prepared again. What was volatile before is compared anew. */
export function againOf(
  proposal: Pick<StoredProposal, 'id' | 'rebase'>,
  moved: ChangeView[],
): NonNullable<PreparedWrite['rebase']> {
  return { ...rebaseOf(proposal, moved, []), preparedAgain: true };
}

/** The mark of a draft that is the same change on a campaign that moved. */
export function rebaseOf(
  { id, rebase }: Pick<StoredProposal, 'id' | 'rebase'>,
  moved: ChangeView[],
  volatile: string[],
): NonNullable<PreparedWrite['rebase']> {
  return { of: id, round: (rebase?.round ?? 0) + 1, moved, volatile };
}

export type Proposer = Pick<StoredProposal, 'profile' | 'proposedBy' | 'quotation'>;

export function you(profile: Proposer['profile']): Proposer {
  return {
    profile,
    proposedBy: { kind: 'person', name: 'You', sinceMs: null, agentId: null },
    quotation: null,
  };
}

/** True if the time that a proposal may wait has passed by either clock. */
export function isPastItsTime(
  { createdAtMs, createdUptimeMs, expiresAtMs }: StoredProposal,
  limitClock: LimitClock,
): boolean {
  const created = { wallMs: createdAtMs, monotonicMs: createdUptimeMs ?? Infinity };
  return passedSince(created, limitClock) >= expiresAtMs - createdAtMs;
}

/** The member client of a proposal's own profile. Fails with `profile_unknown` where that profile is gone. */
export type ClientOf = (proposal: Pick<StoredProposal, 'profile'>) => MemberClient;

/** The connection of a proposal's own profile. Fails with `profile_unknown` if that profile is gone. */
export type ConnectionOf = (proposal: Pick<StoredProposal, 'profile'>) => Connection;

/** The parts of a proposal from which its words are made. */
export type Wording = Pick<
  StoredProposal,
  'payload' | 'base' | 'createdAtMs' | 'profile' | 'proposedBy' | 'rebase' | 'stoppedAs'
> &
  Partial<Pick<StoredProposal, 'undoes'>>;

/** Everything that a person reads of a write, made by the core from the payload and the read before it. */
export interface ProposalWords extends WriteWords {
  detail: ProposalView['detail'];
  /** Fields that an operand has to explain so that this change is decided with others; null for one that is decided alone. */
  comparable: ComparedField[] | null;
  /** Of a batch: the operand that explains all members; null if there is none. */
  operand?: FieldOperand[] | null;
}

/** A write whose effects and words are wanted; one that is not a proposal yet has no state. */
export type Described = Wording &
  Pick<StoredProposal, 'operation'> &
  Partial<Pick<StoredProposal, 'state' | 'prunedAtMs' | 'headline'>>;

/**
 * Works out the effects of a write and makes its words, without asking the service. Of a proposal whose details were removed, only the
 * words in its list entry are known.
 */
export type Describe = (write: Described) => ProposalWords;

/** Result of the read just before sending, compared with the state that the person saw. */
export type Reread =
  /**
   * With what is left out on purpose, because it needs nothing any more: the intent names it, and it is not sent. `before` has the
   * campaigns that are about to be written, as far as they have no copy of today.
   */
  | { kind: 'unchanged'; left?: ProposalView['verdicts']; before?: readonly CampaignBefore[] }
  /** Another field changed: the same change on the new state, to be proposed again. */
  | { kind: 'outdated'; successor: PreparedWrite }
  /** The field to be changed has changed: nothing is proposed again automatically. */
  | { kind: 'conflict'; conflict: ProposalView['conflict']; message?: Sentence }
  /** The campaign changed so that nothing can be sent. */
  | { kind: 'impossible'; failure: AppError };

export interface ReadBack {
  /** Nothing that was sent is different: the end of a write that the service accepted. */
  isAsSent: boolean;
  /**
   * Proof by the read, for a write whose answer never came: stored, not stored, or that something else is there; `none`
   * where nothing can be read.
   */
  evidence: 'payload' | 'base' | 'other' | 'none';
  verdicts: ProposalView['verdicts'];
}

/** One kind of write, as the gate needs it. Reads and writes fail as the member client does. */
export interface Operation {
  /** Compares the service's state with the one that the person saw. */
  reread(proposal: StoredProposal): Promise<Reread>;
  /**
   * Sends the stored payload, byte for byte, once; without what the intent leaves out. Resolves with the answer to keep, as
   * JSON text, or null; fails with {@link AnsweredFailure} where the answer of a failed one is to be kept.
   */
  send(proposal: StoredProposal): Promise<string | null>;
  readBack(proposal: StoredProposal): Promise<ReadBack>;
  /** Prepares the same change once more on the state of now, for a proposal whose time has ended. Absent for what cannot be. */
  prepareAgain?(proposal: StoredProposal): Promise<PreparedWrite>;
  /** Settles the unknown outcome of a write whose own read-back cannot, because it consists of other proposals. */
  settle?(
    proposal: StoredProposal,
    settleMember: (id: string) => Promise<StoredProposal>,
  ): Promise<StoredProposal>;
}

export type Operations = Readonly<Record<ProposalView['operation'], Operation>>;

/** A write that failed with an answer of the service, which is kept whole: the agent that asked gets it. */
export class AnsweredFailure extends AppError {
  readonly answer: string;

  constructor(code: ErrorCode, { answer, ...details }: AppErrorDetails & { answer: string }) {
    super(code, details);
    this.answer = answer;
  }
}

/** Effect of a write that was read back on one campaign: the fields that it changed, and no others, as raw JSON values. */
export interface Effect {
  cid: number;
  name: string;
  /** The fields as the user saw them; an absent field stays absent. */
  before: JsonObject;
  after: JsonObject;
  /** For the words; null where the write knew none. */
  context: CampaignContext | null;
}

/** The advertiser owner that a read names (contract §2.2, §2.4), as text; null where it names none. */
export function accountOf(uid: JsonValue | undefined): string | null {
  return typeof uid === 'number' && Number.isSafeInteger(uid) ? String(uid) : null;
}

/** The one owner of all these rows. Fails with `service_answer_unreadable` where there are several: a member has one account. */
export function accountOfRows(rows: readonly { uid: number }[]): string | null {
  const accounts = new Set(rows.map(({ uid }) => accountOf(uid)));
  if (accounts.size > 1) {
    throw new AppError('service_answer_unreadable', {
      message: 'The service gave campaigns of more than one account.',
    });
  }
  return [...accounts][0] ?? null;
}

/** Passes when the campaign still belongs to the account that the change was made for. Fails with `account_changed`. */
export function assertSameAccount({ profile }: Pick<StoredProposal, 'profile'>, now: string | null): void {
  if (now !== null && now !== profile.account) throw new AppError('account_changed');
}
