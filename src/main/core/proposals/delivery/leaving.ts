import type { Profiles } from '#core/profiles/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { assertSameAccount } from '../operations/account.ts';
import type { AgentGuard } from '../proposing/agent-guard.ts';
import { assertMayLeave } from '../proposing/ask-guard.ts';
import { assertUntouched } from '../confirmation/fingerprint.ts';
import type { Operations } from '../operations/operation.ts';
import type { Approved } from './approved.ts';

/** Whether what was approved may leave. */
export interface Leaving {
  /** Asked before anything is done for a sending. Fails with `stopped_before_sending`. */
  assertBegins(): void;
  /**
   * Asked again right before each sending. Fails with `proposal_expired`, `fingerprint_mismatch`, `account_changed` or
   * `profile_unknown`, and an agent's as its guard does.
   */
  assertValid(proposal: StoredProposal, approved: Approved): void;
  /** False once the program ends, or its agent's may not leave: nothing is waited for any more. */
  isWanted(proposal: StoredProposal): boolean;
}

export interface LeavingOptions {
  profiles: Pick<Profiles, 'get'>;
  guard: Pick<AgentGuard, 'assertMayLeave'>;
  operations: Operations;
  clock: Clock;
  /** True once the program ends: what has not begun by then is stopped. */
  isEnding(): boolean;
}

export function createLeaving(options: LeavingOptions): Leaving {
  const { profiles, clock, isEnding } = options;

  function assertBegins(): void {
    if (isEnding()) throw new AppError('stopped_before_sending');
  }

  return {
    assertBegins,
    assertValid(proposal, { fingerprint }) {
      if (clock.nowMs() >= proposal.expiresAtMs) throw new AppError('proposal_expired');
      assertUntouched({ ...proposal, fingerprint });
      // Whoever freezes or ends an agent stops also what was approved and has not left: the rest of a batch, for example.
      assertMayLeave(options, proposal);
      // Fails with `profile_unknown` where the profile is gone. Where nobody has told the account, reading again does.
      assertSameAccount(proposal, profiles.get(proposal.profile.id).account || null);
    },
    isWanted(proposal) {
      try {
        assertBegins();
        assertMayLeave(options, proposal);
        return true;
      } catch (failure) {
        if (failure instanceof AppError) return false;
        throw failure;
      }
    },
  };
}
