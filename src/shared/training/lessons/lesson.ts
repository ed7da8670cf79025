/** A picture in a lesson: a case of the corpus, drawn by the parts of the real confirmation. */
export interface LessonFigure {
  /** The name of a planted fault or harmless change. */
  caseName: string;
  /** Says what to look at, in one sentence. */
  caption: string;
}

export interface LessonStep {
  title: string;
  paragraphs: readonly string[];
  figure?: LessonFigure;
}

/** A question with the answers to choose from, one of which is right. */
export interface LessonQuestion {
  question: string;
  answers: readonly { text: string; isRight: boolean; /** Shown when it is chosen. */ feedback: string }[];
}

/** A lesson of two minutes. */
export interface Lesson {
  title: string;
  /** One sentence. */
  summary: string;
  steps: readonly LessonStep[];
  questions: readonly [LessonQuestion, LessonQuestion];
}

export const step = (title: string, paragraphs: readonly string[], picture?: LessonFigure): LessonStep => ({
  title,
  paragraphs,
  ...(picture && { figure: picture }),
});

export const figure = (caseName: string, caption: string): LessonFigure => ({ caseName, caption });

type Answer = LessonQuestion['answers'][number];

export const right = (text: string, feedback: string): Answer => ({ text, isRight: true, feedback });

export const wrong = (text: string, feedback: string): Answer => ({ text, isRight: false, feedback });
