import { statusSchema } from '#shared/app-api/index.ts';
import { followCore, type FollowOptions } from './follow-core.ts';

export type WaitingCountOptions = Pick<FollowOptions<number>, 'core' | 'hear' | 'after'>;

/** Follows how many changes wait for a decision; null while nobody knows. Returns the way to stop. */
export function watchWaitingCount(options: WaitingCountOptions): () => void {
  return followCore({
    ...options,
    on: 'proposals.changed',
    async look() {
      const answer = await options.core.ask('app', 'session.status', {});
      return statusSchema.safeParse(answer).data?.waiting ?? null;
    },
  });
}
