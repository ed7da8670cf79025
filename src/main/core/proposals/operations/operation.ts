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
  account: string | null;
  /** When the proposal expires at the latest; null for the usual lifetime. */
  endsAtMs: number | null;
  lifetimeMs?: number;
  undoes?: StoredProposal['undoes'];
  /** Campaigns that were read in full for the change and are not in its base. They are cached with the proposal. */
  reads?: readonly FullRead[];
}

export interface FullRead {
  cid: number;
  body: string;
}

/** A campaign before a write, for its daily copy. `campaign` is null if it could not be read, which does not stop the write. */
export interface CampaignBefore {
  cid: number;
  campaign: JsonObject | null;
  readAtMs?: number;
}

/** A hundred years. Neither JSON nor the fingerprint can contain infinity. */
export const unlimitedMs = 100 * 365 * 24 * 60 * 60_000;

/** Gives a successor the usual lifetime, unless its predecessor never expires. */
export function lifetimeOf({
  createdAtMs,
  expiresAtMs,
}: Pick<StoredProposal, 'createdAtMs' | 'expiresAtMs'>): Pick<PreparedWrite, 'lifetimeMs'> {
  return expiresAtMs - createdAtMs >= unlimitedMs ? { lifetimeMs: unlimitedMs } : {};
}

/** Marks a change that was prepared again. Compares volatile fields again. */
export function againOf(
  proposal: Pick<StoredProposal, 'id' | 'rebase'>,
  moved: ChangeView[],
): NonNullable<PreparedWrite['rebase']> {
  return { ...rebaseOf(proposal, moved, []), preparedAgain: true };
}

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

/** Measured by both clocks, so that setting the system clock prolongs nothing. */
export function isPastItsTime(
  { createdAtMs, createdUptimeMs, expiresAtMs }: StoredProposal,
  limitClock: LimitClock,
): boolean {
  const created = { wallMs: createdAtMs, monotonicMs: createdUptimeMs ?? Infinity };
  return passedSince(created, limitClock) >= expiresAtMs - createdAtMs;
}

export type ClientOf = (proposal: Pick<StoredProposal, 'profile'>) => MemberClient;

/** Fails with `profile_unknown` if the proposal's profile is gone. */
export type ConnectionOf = (proposal: Pick<StoredProposal, 'profile'>) => Connection;

export type Wording = Pick<
  StoredProposal,
  'payload' | 'base' | 'createdAtMs' | 'profile' | 'proposedBy' | 'rebase' | 'stoppedAs'
> &
  Partial<Pick<StoredProposal, 'undoes'>>;

export interface ProposalWords extends WriteWords {
  detail: ProposalView['detail'];
  /** Changed fields for finding an operand shared with other changes; null if the change is decided alone. */
  comparable: ComparedField[] | null;
  operand?: FieldOperand[] | null;
}

export type Described = Wording &
  Pick<StoredProposal, 'operation'> &
  Partial<Pick<StoredProposal, 'state' | 'prunedAtMs' | 'headline'>>;

/** Describes a write without asking the service. For a pruned proposal, only the headline is known. */
export type Describe = (write: Described) => ProposalWords;

export type Reread =
  /** `left`: campaigns that no longer need the change and are not sent. `before`: campaigns to write that have no copy of today. */
  | { kind: 'unchanged'; left?: ProposalView['verdicts']; before?: readonly CampaignBefore[] }
  /** A field outside the change has a new value. The change is proposed again on the new state. */
  | { kind: 'outdated'; successor: PreparedWrite }
  /** The changed field itself has a new value. Nothing is proposed again automatically. */
  | { kind: 'conflict'; conflict: ProposalView['conflict']; message?: Sentence }
  /** The write can never be sent. */
  | { kind: 'impossible'; failure: AppError };

export interface ReadBack {
  isAsSent: boolean;
  /** The stored state for a write without an answer: as sent, as before, or neither. `none` if nothing can be read. */
  evidence: 'payload' | 'base' | 'other' | 'none';
  verdicts: ProposalView['verdicts'];
}

/** A kind of write. Reads and writes fail as the member client does. */
export interface Operation {
  reread(proposal: StoredProposal): Promise<Reread>;
  /**
   * Sends the stored payload once, byte for byte, without the campaigns that the intent skips. Resolves with the
   * answer to keep as JSON text, or null. Fails with {@link AnsweredFailure} if the answer of a failed write is kept.
   */
  send(proposal: StoredProposal): Promise<string | null>;
  readBack(proposal: StoredProposal): Promise<ReadBack>;
  /** Prepares the change again on the current state, after its time has ended. Absent if that is impossible. */
  prepareAgain?(proposal: StoredProposal): Promise<PreparedWrite>;
  /** Settles a batch through its members, which have the read-backs. Absent for a single write. */
  settle?(
    proposal: StoredProposal,
    settleMember: (id: string) => Promise<StoredProposal>,
  ): Promise<StoredProposal>;
}

export type Operations = Readonly<Record<ProposalView['operation'], Operation>>;

export class AnsweredFailure extends AppError {
  readonly answer: string;

  constructor(code: ErrorCode, { answer, ...details }: AppErrorDetails & { answer: string }) {
    super(code, details);
    this.answer = answer;
  }
}

/** The fields that a write changed on one campaign, as raw JSON, after the read-back. */
export interface Effect {
  cid: number;
  name: string;
  before: JsonObject;
  after: JsonObject;
  context: CampaignContext | null;
}

/** The advertiser owner in a read campaign (contract §2.2, §2.4), or null. */
export function accountOf(uid: JsonValue | undefined): string | null {
  return typeof uid === 'number' && Number.isSafeInteger(uid) ? String(uid) : null;
}

/** Fails with `service_answer_unreadable` for several owners, because a member has one account. */
export function accountOfRows(rows: readonly { uid: number }[]): string | null {
  const accounts = new Set(rows.map(({ uid }) => accountOf(uid)));
  if (accounts.size > 1) {
    throw new AppError('service_answer_unreadable', {
      message: 'The service gave campaigns of more than one account.',
    });
  }
  return [...accounts][0] ?? null;
}

/** Fails with `account_changed` if the campaign and the change belong to different accounts. */
export function assertSameAccount({ profile }: Pick<StoredProposal, 'profile'>, now: string | null): void {
  if (now !== null && now !== profile.account) throw new AppError('account_changed');
}
