export { EditorPanel } from './editor-panel.tsx';
