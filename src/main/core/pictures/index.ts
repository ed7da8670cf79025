export { createPictures } from './pictures.ts';
export type { Pictures, PictureNetwork, PictureSource } from './pictures.ts';
