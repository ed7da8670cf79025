export { DateField, MonthGrid } from './month-grid.tsx';
export { OrderedChoice, PanelButton, Segments } from './choices.tsx';
export { ReturnTimes } from './return-times.tsx';
