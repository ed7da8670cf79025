export { WaitingTimeSetting, ProposalsView } from './proposals-view.tsx';
