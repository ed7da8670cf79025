export { lessons } from './lessons.ts';
export type { Lesson, LessonFigure, LessonQuestion, LessonStep } from './lesson.ts';
