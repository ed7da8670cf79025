export { AgentsView } from './agents-view.tsx';
