export { UpdatesCard, UpdatesPart } from './updates-part.tsx';
