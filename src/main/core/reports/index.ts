export { createReportReader } from './load/report-reader.ts';
export { createReportService } from './report-service.ts';
export type { ReportService } from './report-service.ts';
export { createReportWorker } from './worker/report-worker-client.ts';
export type { ReportWorker } from './worker/report-worker-client.ts';
export { readWholeReport } from './read-whole-report.ts';
export type { WholeReport } from './read-whole-report.ts';
export { createReportNotes } from './notes/report-notes.ts';
export type { ReportNotes } from './notes/report-notes.ts';
