import { profileSchema, type ProfileView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';

export interface WatchProfileOptions {
  core: Pick<CoreSupervisor, 'state' | 'onState' | 'onEvent' | 'ask'>;
  /** Hears the profile in front whenever it may be another, or null while nobody knows. */
  hear(profile: ProfileView | null): void;
}

/** Follows which profile is in front. Returns the way to stop. */
export function watchProfile({ core, hear }: WatchProfileOptions): () => void {
  let asked = 0;

  async function look(): Promise<void> {
    const mine = ++asked;
    const profile = await profileOf(core);
    // What was asked later tells the newer truth.
    if (mine === asked) hear(profile);
  }

  function forget(): void {
    asked += 1;
    hear(null);
  }

  const stopEvents = core.onEvent(({ kind }) => {
    if (kind === 'profiles.changed') void look();
  });
  const stopStates = core.onState(({ kind }) => (kind === 'ready' ? void look() : forget()));
  if (core.state().kind === 'ready') void look();
  return () => {
    asked += 1;
    stopEvents();
    stopStates();
  };
}

async function profileOf(core: Pick<CoreSupervisor, 'ask'>): Promise<ProfileView | null> {
  try {
    const session = (await core.ask('app', 'session.get', {})) as { profile?: unknown } | null;
    return profileSchema.safeParse(session?.profile).data ?? null;
  } catch (failure) {
    // A core that ends while it is asked tells its state by itself.
    if (failure instanceof AppError) return null;
    throw failure;
  }
}
