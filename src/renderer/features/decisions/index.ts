export { DecisionsView } from './decisions-view.tsx';
