export { createAlerts } from './alerts/alerts.ts';
export type { Alerts } from './alerts/alerts.ts';
export type { DaySumsAsk, DaySumsReader } from './day-sums.ts';
export { createMarks } from './marks.ts';
export type { Marks } from './marks.ts';
export { createViews } from './views.ts';
export type { Views } from './views.ts';
