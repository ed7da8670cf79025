export { DateField, MonthGrid } from './month-grid.tsx';
export { OrderedChoice, PanelButton, Segments } from './choices.tsx';
