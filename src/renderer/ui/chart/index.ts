export { BarList } from './bar-list.tsx';
export type { Bar, BarListProps } from './bar-list.tsx';
export { Sparkline } from './sparkline.tsx';
export type { SparklineProps } from './sparkline.tsx';
export type { ReportDay } from './time/chart-data.ts';
export type { ChartMarker } from './time/markers.tsx';
export { TimeChart } from './time/time-chart.tsx';
export type { TimeChartProps } from './time/time-chart.tsx';
