import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import { asFailure } from '#renderer/stores/follow-core.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Lesson } from '#shared/training/lessons/index.ts';

export interface LessonFlow {
  at: number;
  answers: readonly (number | null)[];
}

export function beginLesson({ questions }: Pick<Lesson, 'questions'>): LessonFlow {
  return { at: 0, answers: questions.map(() => null) };
}

export const lessonLength = ({ steps, questions }: Pick<Lesson, 'steps' | 'questions'>): number =>
  steps.length + questions.length;

export function questionAt(lesson: Pick<Lesson, 'steps' | 'questions'>, { at }: LessonFlow): number | null {
  return at < lesson.steps.length || at >= lessonLength(lesson) ? null : at - lesson.steps.length;
}

/** A question must be answered correctly first. */
export function canGoOn(lesson: Pick<Lesson, 'steps' | 'questions'>, flow: LessonFlow): boolean {
  const index = questionAt(lesson, flow);
  if (index === null) return flow.at < lessonLength(lesson);
  const chosen = flow.answers[index];
  return chosen != null && lesson.questions[index]?.answers[chosen]?.isRight === true;
}

export function stepLesson(
  lesson: Pick<Lesson, 'steps' | 'questions'>,
  flow: LessonFlow,
  to: 'next' | 'back',
): LessonFlow {
  if (to === 'back') return { ...flow, at: Math.max(0, flow.at - 1) };
  return canGoOn(lesson, flow) ? { ...flow, at: flow.at + 1 } : flow;
}

export function answerQuestion(
  lesson: Pick<Lesson, 'steps' | 'questions'>,
  flow: LessonFlow,
  answer: number,
): LessonFlow {
  const index = questionAt(lesson, flow);
  if (index === null) return flow;
  return { ...flow, answers: flow.answers.map((chosen, at) => (at === index ? answer : chosen)) };
}

export interface FigureState {
  figures: ReadonlyMap<string, ProposalView>;
  failed: ReadonlySet<string>;
  want: (caseName: string) => Promise<void>;
}

function createFigureStore(bridge: AppBridge): StoreApi<FigureState> {
  return createStore<FigureState>((set, get) => ({
    figures: new Map(),
    failed: new Set(),
    async want(caseName) {
      if (get().figures.has(caseName)) return;
      try {
        const { proposal } = await bridge.call('training.figure', { caseName });
        set({ figures: new Map([...get().figures, [caseName, proposal]]) });
      } catch (error) {
        asFailure(error);
        set({ failed: new Set([...get().failed, caseName]) });
      }
    },
  }));
}

export const figureStore = createFigureStore(appBridge);
