export { createDoctorDesk } from './doctor-desk.ts';
export type { DoctorDesk } from './doctor-desk.ts';
export { examine } from './examine.ts';
export type { ExamineOptions } from './examine.ts';
export type { Patient } from './patient.ts';
export { countedSteps, hasEnded, stepSigns } from './step-words.ts';
export { visitingPatient } from './visiting-patient.ts';
export type { VisitingSignIn } from './visiting-patient.ts';
