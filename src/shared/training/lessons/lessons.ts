import type { LessonId } from '../mission.ts';
import { emergencyStop } from './emergency-stop.ts';
import { groupsAndOutliers } from './groups-and-outliers.ts';
import { guardrails } from './guardrails.ts';
import type { Lesson } from './lesson.ts';
import { moneyAtRisk } from './money-at-risk.ts';
import { takingBack } from './taking-back.ts';
import { unknown } from './unknown.ts';

/** The lessons by id. */
export const lessons: Readonly<Record<LessonId, Lesson>> = {
  'money-at-risk': moneyAtRisk,
  'groups-and-outliers': groupsAndOutliers,
  unknown,
  'emergency-stop': emergencyStop,
  guardrails,
  'taking-back': takingBack,
};
