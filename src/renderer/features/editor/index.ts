export { EditorPage, EditorPanel } from './editor-page.tsx';
