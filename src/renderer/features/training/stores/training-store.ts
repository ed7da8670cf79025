import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge, Connection } from '#renderer/api/bridge.ts';
import type { AppOutput, TrainingHome, WorkspaceView } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { type Formats, formatsOf, defaultFormats } from '#shared/lib/formats.ts';
import type { LessonId, MissionId } from '#shared/training/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Acting, asFailure, createAct, readAgain, stopAll } from '#renderer/stores/follow-core.ts';

export type TrainingPlace =
  | { kind: 'unknown' }
  | { kind: 'home'; home: TrainingHome }
  | { kind: 'workspace'; workspace: WorkspaceView };

export type TrainingDoing = 'name' | 'discard' | 'lesson' | 'start' | 'begin' | 'finish' | 'leave';

export interface TrainingState extends Acting<TrainingDoing> {
  place: TrainingPlace;
  connection: Connection;
  formats: Formats;
  failure: AppError | null;
  /**
   * The mission to start (null: free practice) while the person is asked, because starting it deletes the workspace
   * that was left.
   */
  question: { start: MissionId | null } | null;
  setName: (name: string) => Promise<boolean>;
  startMission: (mission: MissionId) => Promise<void>;
  startPractice: () => Promise<void>;
  startAnyway: () => Promise<void>;
  keepLeft: () => void;
  resume: () => Promise<void>;
  discard: () => Promise<void>;
  lessonDone: (lesson: LessonId) => Promise<void>;
  begin: () => Promise<void>;
  finish: () => Promise<void>;
  leave: () => Promise<void>;
  retry: () => void;
  dismiss: () => void;
  /** Call once. Returns the unsubscribe function. */
  start: () => () => void;
}

const reloading: ReadonlySet<TrainingDoing | null> = new Set<TrainingDoing>(['start', 'finish', 'leave']);

/** True if a page drawn for `before` is also valid for `now`: both are home, or both are one workspace. */
export function isSamePlace(before: TrainingPlace, now: TrainingPlace): boolean {
  if (before.kind === 'unknown') return true;
  if (before.kind === 'home' || now.kind !== 'workspace') return before.kind === now.kind;
  if (before.kind !== 'workspace' || before.workspace.kind === 'practice')
    return now.workspace.kind === 'practice';
  const { mission, phase } = before.workspace;
  if (now.workspace.kind !== 'mission' || now.workspace.mission !== mission) return false;
  return (now.workspace.phase === 'over') === (phase === 'over');
}

export function createTrainingStore(bridge: AppBridge, beginAnew: () => void): StoreApi<TrainingState> {
  return createStore<TrainingState>((set, get) => {
    const act = createAct<TrainingDoing>(get, set);
    let isReloading = false;

    function loadAnew(): void {
      if (isReloading) return;
      isReloading = true;
      beginAnew();
    }

    async function readPlace(): Promise<TrainingPlace> {
      const { workspace, formats } = await bridge.call('training.workspace', {});
      set({ formats: formatsOf(formats, 'UTC') });
      if (workspace !== null) return { kind: 'workspace', workspace };
      return { kind: 'home', home: await bridge.call('training.home', {}) };
    }

    const read = readAgain(async () => {
      try {
        const place = await readPlace();
        // This action reloads the page itself when it ends.
        if (isReloading || reloading.has(get().doing)) return;
        if (isSamePlace(get().place, place)) set({ place, failure: null });
        else loadAnew();
      } catch (error) {
        set({ failure: asFailure(error) });
      }
    });

    async function atHome(doing: TrainingDoing, ask: () => Promise<TrainingHome>): Promise<boolean> {
      const home = await act(doing, ask);
      if (home !== null) set({ place: { kind: 'home', home } });
      return home !== null;
    }

    function startNow(mission: MissionId | null): Promise<void> {
      return elsewhere('start', () =>
        mission === null
          ? bridge.call('training.startPractice', {})
          : bridge.call('training.startMission', { mission }),
      );
    }

    async function start(mission: MissionId | null): Promise<void> {
      const { place } = get();
      if (place.kind === 'home' && place.home.left !== null) set({ question: { start: mission } });
      else await startNow(mission);
    }

    async function elsewhere(doing: TrainingDoing, ask: () => Promise<object>): Promise<void> {
      if ((await act(doing, ask)) !== null) loadAnew();
      else read();
    }

    return {
      place: { kind: 'unknown' },
      connection: bridge.connection(),
      formats: defaultFormats,
      failure: null,
      question: null,
      doing: null,
      refusal: null,
      setName: (name) => atHome('name', () => bridge.call('training.setName', { name })),
      startMission: (mission) => start(mission),
      startPractice: () => start(null),
      async startAnyway() {
        const { question } = get();
        set({ question: null });
        if (question !== null) await startNow(question.start);
      },
      keepLeft: () => set({ question: null }),
      resume() {
        set({ question: null });
        return elsewhere('start', () => bridge.call('training.resume', {}));
      },
      async discard() {
        await atHome('discard', () => bridge.call('training.discard', {}));
      },
      async lessonDone(lesson) {
        await atHome('lesson', () => bridge.call('training.lessonDone', { lesson }));
      },
      async begin() {
        const workspace = await act('begin', () => bridge.call('training.begin', {}));
        if (workspace !== null) set({ place: { kind: 'workspace', workspace } });
      },
      finish: () => elsewhere('finish', () => bridge.call('training.finish', {})),
      leave: () => elsewhere('leave', () => bridge.call('training.leave', {})),
      retry: read,
      dismiss: () => set({ refusal: null }),
      start() {
        const stopConnection = bridge.onConnection((connection) => {
          set({ connection });
          if (connection.kind === 'connected') read();
        });
        const stopEvents = bridge.subscribe((event) => {
          if (event.kind === 'training.changed') read();
        });
        void bridge.start();
        return stopAll(stopConnection, stopEvents);
      },
    };
  });
}

export type Debriefing = AppOutput<'training.attempt'>;

export interface AttemptState {
  id: string | null;
  debriefing: Debriefing | null;
  failure: AppError | null;
  open: (id: string) => Promise<void>;
}

export function createAttemptStore(bridge: AppBridge): StoreApi<AttemptState> {
  return createStore<AttemptState>((set, get) => ({
    id: null,
    debriefing: null,
    failure: null,
    async open(id) {
      if (get().debriefing?.attempt.id === id) return;
      set({ id, debriefing: null, failure: null });
      try {
        const debriefing = await bridge.call('training.attempt', { id });
        if (get().id === id) set({ debriefing });
      } catch (error) {
        const failure = asFailure(error);
        if (get().id === id) set({ failure });
      }
    },
  }));
}

export const trainingStore = createTrainingStore(appBridge, () => beginAnew(''));

export const attemptStore = createAttemptStore(appBridge);

/** Reloads the page, so that no state of another workspace or of an earlier phase survives. */
export function beginAnew(hash: string): void {
  location.hash = hash;
  location.reload();
}
