export { WaitingTimeSetting } from './waiting-time.tsx';
export { ProposalsView } from './proposals-view.tsx';
