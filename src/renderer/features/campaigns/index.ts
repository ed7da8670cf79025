export { CampaignsView } from './campaigns-view.tsx';
export { campaignColumns } from './columns.tsx';
export { proposeForSelection } from './bulk-bar.tsx';
