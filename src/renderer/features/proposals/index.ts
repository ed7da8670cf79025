export { ProposalsView } from './proposals-view.tsx';
