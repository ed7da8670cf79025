export { createPictures } from './pictures.ts';
export type { Pictures, PictureNetwork } from './pictures.ts';
