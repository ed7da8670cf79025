import { appBridge } from '#renderer/api/app-bridge.ts';
import { newFile } from '#renderer/api/host-services.ts';
import { createAttemptStore } from './attempt-store.ts';
import { createFigureStore } from './figure-store.ts';
import { createPracticeStore } from './practice-store.ts';
import { createResultsStore } from './results-store.ts';
import { createTrainingStore } from './training-store.ts';

export type { Debriefing } from './attempt-store.ts';
export { homeHref, parseHomeRoute } from './home-route.ts';
export type { HomeRoute } from './home-route.ts';
export { answerQuestion, beginLesson, canGoOn, lessonLength, questionAt, stepLesson } from './lesson-flow.ts';
export type { LessonFlow } from './lesson-flow.ts';
export { readDollars } from './practice-store.ts';
export { masteryOf, overviewOf, resultId } from './results-store.ts';
export type { Mastery, OverviewRow } from './results-store.ts';
export type { TrainingPlace } from './training-store.ts';

/** The page's store of the place where training is. */
export const trainingStore = createTrainingStore(appBridge, () => beginAnew(''));

/** The page's store of the debriefing on screen. */
export const attemptStore = createAttemptStore(appBridge);

/** The page's store of the pictures of lessons. */
export const figureStore = createFigureStore(appBridge);

/** The page's store of the control panel of free practice. */
export const practiceStore = createPracticeStore(appBridge, () => beginAnew('#/campaigns'));

/** The page's store of result files. */
export const resultsStore = createResultsStore(appBridge, newFile);

/** Loads the page again: nothing that it held of another workspace, or of an earlier state of it, survives. */
function beginAnew(hash: string): void {
  location.hash = hash;
  location.reload();
}
