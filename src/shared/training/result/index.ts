export { attemptsThatFit, readResult, signedText, writeResult } from './result-file.ts';
export type { ReadResult, TrainingResult } from './result-file.ts';
