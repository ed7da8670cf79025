import type { Clock } from '#core/platform/clock.ts';
import type { TrainingStore } from '#core/store/training/index.ts';
import { type AppHandlers, lessonIds, type TrainingHome } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { missionIds } from '#shared/training/index.ts';
import type { Workspaces } from './workspaces.ts';

export type HomeHandlers = Pick<
  AppHandlers,
  'training.home' | 'training.setName' | 'training.lessonDone' | 'training.attempt'
>;

/** Names, attempts, lessons and progress: everything of training that needs no workspace. */
export interface Home {
  read(): TrainingHome;
  /** The name that trains now. Fails with `trainee_missing`. */
  trainee(): string;
  handlers: HomeHandlers;
}

export interface HomeOptions {
  store: TrainingStore;
  workspaces: Pick<Workspaces, 'stored'>;
  /** True while the workspace that is stored is open. */
  isOpen(): boolean;
  clock: Clock;
}

export function createHome({ store, workspaces, isOpen, clock }: HomeOptions): Home {
  function trainee(): string {
    const name = store.trainees.current();
    if (name === null) throw new AppError('trainee_missing');
    return name;
  }

  function read(): TrainingHome {
    const name = store.trainees.current();
    const attempts = name === null ? [] : store.attempts.of(name).map(({ attempt }) => attempt);
    const done = new Map(
      name === null ? [] : store.lessons.of(name).map(({ id, doneAtMs }) => [id, doneAtMs] as const),
    );
    const stored = isOpen() ? null : workspaces.stored();
    return {
      names: store.trainees.names(),
      name,
      missions: missionIds.map((id) => {
        const points = attempts.flatMap(({ mission, score }) => (mission === id ? [score.points] : []));
        return {
          id,
          attempts: points.length,
          best: points.length === 0 ? null : Math.max(...points),
          isRecommended: false,
        };
      }),
      lessons: lessonIds.map((id) => ({ id, doneAtMs: done.get(id) ?? null })),
      progress: [],
      attempts,
      left: stored && { kind: stored.kind, mission: stored.mission, atMs: stored.atMs },
      keyFingerprint: '',
    };
  }

  return {
    read,
    trainee,
    handlers: {
      'training.home': async () => read(),
      async 'training.setName'({ name }) {
        store.trainees.choose(name);
        return read();
      },
      async 'training.lessonDone'({ lesson }) {
        store.lessons.add(trainee(), lesson, clock.nowMs());
        return read();
      },
      async 'training.attempt'({ id }) {
        const found = store.attempts.find(id);
        if (found === null) throw new AppError('attempt_not_found');
        return found;
      },
    },
  };
}
