export { BulkView } from './bulk-view.tsx';
