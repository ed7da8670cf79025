export { createDoctorDesk, type DoctorDesk } from './doctor-controller.ts';
export { examine, type ExamineOptions } from './examine.ts';
export { type Patient, visitingPatient, type VisitingSignIn } from './diagnostic-target.ts';
export { countedSteps, hasEnded, stepSigns } from './report/report-text.ts';
