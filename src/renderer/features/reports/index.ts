export { ReportsView } from './reports-view.tsx';
