export { MonthGrid } from './month-grid.tsx';
export { OrderedChoice } from './ordered-choice.tsx';
export { PanelButton } from './panel-button.tsx';
export { Segments } from './segments.tsx';
