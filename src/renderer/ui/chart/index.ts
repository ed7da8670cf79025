export {
  type Bar,
  BarList,
  type BarListProps,
  BarTable,
  Sparkline,
  type SparklineProps,
} from './bar-list.tsx';
export type { ReportDay } from './time/chart-data.ts';
export type { ChartMarker } from './time/markers.tsx';
export { TimeChart, type TimeChartProps } from './time/time-chart.tsx';
export { chartPng, type ChartPicture } from './picture.ts';
export { PrintSheet, type PrintedReport } from './print-sheet.tsx';
