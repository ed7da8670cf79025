export { CampaignsView } from './campaigns-view.tsx';
export { campaignColumns } from './columns.tsx';
export { changeSelection, proposeForSelection } from './bulk-bar.tsx';
export { fullStore, lastChangesStore } from './stores/full-store.ts';
export { listViewsStore } from './stores/list-views-store.ts';
export { waitingStore } from './stores/waiting-store.ts';
