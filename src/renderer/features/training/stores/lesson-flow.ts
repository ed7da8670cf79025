import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import { asFailure } from '#renderer/stores/follow-core.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Lesson } from '#shared/training/lessons/index.ts';

/** How far a person is in a lesson: its steps, then its questions, then the end. */
export interface LessonFlow {
  /** Place among the steps and questions; their number stands for the end. */
  at: number;
  /** The chosen answer of each question, by its index; null before the choice. */
  answers: readonly (number | null)[];
}

/** The beginning of a lesson. */
export function beginLesson({ questions }: Pick<Lesson, 'questions'>): LessonFlow {
  return { at: 0, answers: questions.map(() => null) };
}

/** The number of steps and questions. */
export const lessonLength = ({ steps, questions }: Pick<Lesson, 'steps' | 'questions'>): number =>
  steps.length + questions.length;

/** The index of the question on screen, or null on a step and at the end. */
export function questionAt(lesson: Pick<Lesson, 'steps' | 'questions'>, { at }: LessonFlow): number | null {
  return at < lesson.steps.length || at >= lessonLength(lesson) ? null : at - lesson.steps.length;
}

/** True where a person may go on: a question wants its right answer first. */
export function canGoOn(lesson: Pick<Lesson, 'steps' | 'questions'>, flow: LessonFlow): boolean {
  const index = questionAt(lesson, flow);
  if (index === null) return flow.at < lessonLength(lesson);
  const chosen = flow.answers[index];
  return chosen != null && lesson.questions[index]?.answers[chosen]?.isRight === true;
}

/** One place further, where that is possible, or one back. */
export function stepLesson(
  lesson: Pick<Lesson, 'steps' | 'questions'>,
  flow: LessonFlow,
  to: 'next' | 'back',
): LessonFlow {
  if (to === 'back') return { ...flow, at: Math.max(0, flow.at - 1) };
  return canGoOn(lesson, flow) ? { ...flow, at: flow.at + 1 } : flow;
}

/** Chooses an answer to the question on screen; another one may be chosen after it. */
export function answerQuestion(
  lesson: Pick<Lesson, 'steps' | 'questions'>,
  flow: LessonFlow,
  answer: number,
): LessonFlow {
  const index = questionAt(lesson, flow);
  if (index === null) return flow;
  return { ...flow, answers: flow.answers.map((chosen, at) => (at === index ? answer : chosen)) };
}

/** Pictures of lessons: cases of the corpus with the words that the core makes of them. */
export interface FigureState {
  figures: ReadonlyMap<string, ProposalView>;
  /** Cases that the core did not give; a lesson goes on without its picture. */
  failed: ReadonlySet<string>;
  /** Reads one, unless it is there. */
  want: (caseName: string) => Promise<void>;
}

/** Makes the store of the pictures of lessons. */
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

/** The page's store of the pictures of lessons. */
export const figureStore = createFigureStore(appBridge);
