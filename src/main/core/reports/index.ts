export { createDaySumsReader } from './load/day-sums.ts';
export { createReportReader, type ReportReader } from './load/report-reader.ts';
export { createReportNotes, type ReportNotes } from './notes/report-notes.ts';
export { readWholeReport, type WholeReport } from './read-whole-report.ts';
export { createReportService, type ReportService } from './report-service.ts';
export {
  createReportWorker,
  createStoredReportWorker,
  type ReportWorker,
} from './worker/report-worker-client.ts';
