import type { LessonId } from '../mission.ts';
import type { Lesson } from './lesson.ts';
import { groupsAndOutliers, moneyAtRisk, unknown } from './reading-changes.ts';
import { emergencyStop, guardrails, takingBack } from './staying-in-control.ts';

export type { Lesson, LessonFigure, LessonQuestion, LessonStep } from './lesson.ts';

export const lessons: Readonly<Record<LessonId, Lesson>> = {
  'money-at-risk': moneyAtRisk,
  'groups-and-outliers': groupsAndOutliers,
  unknown,
  'emergency-stop': emergencyStop,
  guardrails,
  'taking-back': takingBack,
};
