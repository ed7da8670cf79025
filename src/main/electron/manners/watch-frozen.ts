import { appApi } from '#shared/app-api/index.ts';
import { followCore, type FollowOptions } from './follow-core.ts';

export type WatchFrozenOptions = Pick<FollowOptions<boolean>, 'core' | 'hear' | 'after'>;

/** Follows whether all agents are frozen; null while nobody knows. Returns the way to stop. */
export function watchFrozen(options: WatchFrozenOptions): () => void {
  const { output } = appApi['agents.get'];
  return followCore({
    ...options,
    on: 'agents.changed',
    async look() {
      // The status would ask the service too, which may be away.
      const found = output.safeParse(await options.core.ask('app', 'agents.get', {})).data;
      return found === undefined ? null : found.frozenSinceMs !== null;
    },
  });
}
