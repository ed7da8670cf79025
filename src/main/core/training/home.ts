import type { KeyObject } from 'node:crypto';
import type { Clock } from '#core/platform/clock.ts';
import type { TrainingStore } from '#core/store/training/index.ts';
import { type AppHandlers, lessonIds, type TrainingHome } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { missionIds, progressOf, recommendedMissions } from '#shared/training/index.ts';
import { figureOf } from './lesson-figure.ts';
import { createResults, type Results } from './results.ts';
import type { Workspaces } from './workspaces.ts';
import type { Formats } from '#shared/lib/formats.ts';

export type HomeHandlers = Results['handlers'] &
  Pick<
    AppHandlers,
    'training.home' | 'training.setName' | 'training.figure' | 'training.lessonDone' | 'training.attempt'
  >;

/** The requests of training that need no open workspace. */
export interface Home {
  read(): TrainingHome;
  handlers: HomeHandlers;
}

export interface HomeOptions {
  store: TrainingStore;
  key(): KeyObject;
  workspaces: Pick<Workspaces, 'stored'>;
  isOpen(): boolean;
  clock: Clock;
  formats(): Formats;
}

/** Fails with `trainee_missing` if no name is chosen. */
export function traineeIn({ trainees }: Pick<TrainingStore, 'trainees'>): string {
  const name = trainees.current();
  if (name === null) throw new AppError('trainee_missing');
  return name;
}

export function createHome({ store, key, workspaces, isOpen, clock, formats }: HomeOptions): Home {
  const trainee = (): string => traineeIn(store);
  const results = createResults({ attempts: store.attempts, key, trainee, clock });

  function read(): TrainingHome {
    const name = store.trainees.current();
    const attempts = name === null ? [] : store.attempts.of(name);
    const done = new Map(
      name === null ? [] : store.lessons.of(name).map(({ id, doneAtMs }) => [id, doneAtMs] as const),
    );
    const recommended = new Set(recommendedMissions(attempts));
    const left = isOpen() ? null : workspaces.stored();
    return {
      names: store.trainees.names(),
      name,
      missions: missionIds.map((id) => {
        const played = attempts.filter(({ mission }) => mission === id);
        const points = played.flatMap(({ score, incomplete }) =>
          incomplete === undefined ? [score.points] : [],
        );
        return {
          id,
          attempts: played.length,
          best: points.length === 0 ? null : Math.max(...points),
          isRecommended: recommended.has(id),
        };
      }),
      lessons: lessonIds.map((id) => ({ id, doneAtMs: done.get(id) ?? null })),
      progress: progressOf(attempts),
      attempts,
      left: left && { kind: left.kind, mission: left.mission, atMs: left.atMs },
      keyFingerprint: results.keyFingerprint(),
    };
  }

  return {
    read,
    handlers: {
      ...results.handlers,
      'training.home': async () => read(),
      async 'training.setName'({ name }) {
        store.trainees.choose(name);
        return read();
      },
      'training.figure': async ({ caseName }) => ({ proposal: figureOf(caseName, formats()) }),
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
