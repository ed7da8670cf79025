export { EditorPage } from './editor-page.tsx';
export { EditorPanel } from './editor-panel.tsx';
