export { SchedulesView } from './schedules-view.tsx';
