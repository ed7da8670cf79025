import type { ProposalView } from '#shared/app-api/index.ts';
import type { Admission } from '../operations/agent-admission/prepare.ts';
import {
  createPendingAdmissions,
  type PendingAdmissions,
  type PendingAdmissionsOptions,
} from './pending-admissions.ts';
import { createPreparingAgain, type PreparingAgain, type PreparingAgainOptions } from './propose-again.ts';
import { createScheduleCommits, type ScheduleCommits, type ScheduleCommitsOptions } from './app-commits.ts';
import { createUserChanges, type UserChanges, type UserChangesOptions } from './user-changes.ts';

/** Everything that is proposed, but for the calls of agents: by the user, by schedules, and again in the place of another proposal. */
export interface Changes
  extends Omit<UserChanges, 'proposeTogether'>, ScheduleCommits, Pick<PendingAdmissions, 'takeBackAll'> {
  /** As {@link UserChanges.proposeTogether}; those whose approval by the service has ended are prepared again first. */
  proposeTogether(ids: readonly string[]): Promise<ProposalView>;
  /** Asks a person to let an agent in; `profileId` is the profile that its calls would go to. Fails as the proposal does. */
  proposeAdmission(admission: Admission, to: { profileId: string; endsAtMs: number }): ProposalView;
  /** Withdraws an admission whose answer no call waits for any more. Does nothing if it was decided. */
  takeBackAdmission(id: string): void;
  preparing: PreparingAgain;
}

export type ChangesOptions = UserChangesOptions &
  PreparingAgainOptions &
  ScheduleCommitsOptions &
  PendingAdmissionsOptions;

export function createChanges(options: ChangesOptions): Changes {
  const { view, assertTaking } = options;
  const preparing = createPreparingAgain(options);
  const userChanges = createUserChanges(options);
  const admissions = createPendingAdmissions(options);
  return {
    ...userChanges,
    ...createScheduleCommits(options),
    preparing,
    async proposeTogether(ids) {
      const ready: string[] = [];
      // One after the other: each of them is asked of the same service.
      for (const id of ids) ready.push((await preparing.ready(id)).id);
      return userChanges.proposeTogether(ready);
    },
    proposeAdmission(admission, to) {
      assertTaking();
      return view(admissions.propose(admission, to));
    },
    takeBackAdmission: admissions.takeBack,
    takeBackAll: admissions.takeBackAll,
  };
}
