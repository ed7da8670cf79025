export { openReportCache } from './report-cache.ts';
export type { CachedSlice, ReportCache, ReportScope, SliceAddress, SliceGrouping } from './report-cache.ts';
