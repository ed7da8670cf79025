export { DateField } from './date-field.tsx';
export { MonthGrid } from './month-grid.tsx';
export { OrderedChoice } from './choices.tsx';
export { PanelButton } from './choices.tsx';
export { Segments } from './choices.tsx';
