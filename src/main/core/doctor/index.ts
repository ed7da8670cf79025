export { createDoctorController, type DoctorController } from './doctor-controller.ts';
export { explainPublisherRefusal } from './answers/refusals.ts';
export { examine, type ExamineOptions } from './examine.ts';
export { type DiagnosticTarget, oneTimeTarget, type OneTimeSignIn } from './diagnostic-target.ts';
export { countedSteps, driftLines, hasEnded, stepSigns } from './report/report-text.ts';
