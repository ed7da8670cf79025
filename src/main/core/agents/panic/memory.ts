import { z } from 'zod';
import type { AppStore } from '#core/store/app/index.ts';
import { panicSetSchema, type PanicSet } from '#shared/app-api/index.ts';

/** One emergency pause by its proposal, and the proposal that takes it back, once there is one. */
const pauseSchema = z.object({ pause: z.string(), resume: z.string().nullable() });

export type RememberedPause = z.infer<typeof pauseSchema>;

/** So many pauses are remembered for each profile; what they did is in their proposals. */
const mostRemembered = 20;

/** What the emergency pause of each profile stops, and which ones there were. Writes fail with `storage_failed`. */
export interface PanicMemory {
  set(profileId: string): PanicSet;
  choose(profileId: string, set: PanicSet): void;
  /** Newest first. */
  pauses(profileId: string): RememberedPause[];
  addPause(profileId: string, pause: string): void;
  addResume(profileId: string, resumed: RememberedPause, resume: string): void;
  forgetPause(profileId: string, forgotten: RememberedPause): void;
}

export function createPanicMemory({ settings }: Pick<AppStore, 'settings'>): PanicMemory {
  const pausesSchema = z.array(pauseSchema);
  const setKey = (profileId: string): string => `panic.set.${profileId}`;
  const pausesKey = (profileId: string): string => `panic.pauses.${profileId}`;

  function read<T>(key: string, schema: z.ZodType<T>, fallback: T): T {
    const text = settings.get(key);
    if (text === null) return fallback;
    const parsed = schema.safeParse(parsedJson(text));
    return parsed.success ? parsed.data : fallback;
  }

  const pauses = (profileId: string): RememberedPause[] => read(pausesKey(profileId), pausesSchema, []);
  const keep = (profileId: string, list: readonly RememberedPause[]): void =>
    settings.set(pausesKey(profileId), JSON.stringify(list.slice(0, mostRemembered)));

  return {
    // What cannot be read stops everything: too much is safer than too little.
    set: (profileId) => read<PanicSet>(setKey(profileId), panicSetSchema, { kind: 'running' }),
    choose: (profileId, set) => settings.set(setKey(profileId), JSON.stringify(set)),
    pauses,
    addPause: (profileId, pause) => keep(profileId, [{ pause, resume: null }, ...pauses(profileId)]),
    addResume: (profileId, resumed, resume) =>
      keep(
        profileId,
        pauses(profileId).map((one) => (one.pause === resumed.pause ? { ...one, resume } : one)),
      ),
    forgetPause: (profileId, forgotten) =>
      keep(
        profileId,
        pauses(profileId).filter(({ pause }) => pause !== forgotten.pause),
      ),
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
