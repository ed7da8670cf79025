export { UpdatesPart } from './updates-part.tsx';
