export { CampaignsView } from './campaigns-view.tsx';
export { campaignColumns } from './columns.tsx';
export { changeSelection, proposeForSelection } from './bulk-bar.tsx';
export { askPauseUntil } from './pause-until.tsx';
