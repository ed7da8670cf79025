/** A picture in a lesson: a case of the corpus, drawn by the parts of the real confirmation. */
export interface LessonFigure {
  /** The name of a planted fault or harmless change. */
  caseName: string;
  /** Says what to look at, in one sentence. */
  caption: string;
}

/** One screen of a lesson. */
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
