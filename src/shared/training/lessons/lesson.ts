/** A case of the corpus, drawn with the components of the confirmation. */
export interface LessonFigure {
  caseName: string;
  caption: string;
}

export interface LessonStep {
  title: string;
  paragraphs: readonly string[];
  figure?: LessonFigure;
}

export interface LessonQuestion {
  question: string;
  answers: readonly { text: string; isRight: boolean; /** Shown when it is chosen. */ feedback: string }[];
}

export interface Lesson {
  title: string;
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
