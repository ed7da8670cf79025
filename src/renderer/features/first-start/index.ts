export { FirstStart } from './first-start.tsx';
