import type { LessonId } from '../mission.ts';
import type { Lesson } from './lesson.ts';

/** The lessons by id. */
export const lessons: Readonly<Partial<Record<LessonId, Lesson>>> = {};
