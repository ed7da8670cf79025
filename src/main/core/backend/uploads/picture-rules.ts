/** The types of picture that are taken, and the extensions that their files have. SVG is a program, GIF moves: neither is taken. */
export const extensionsOf = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
} as const;

export type PictureType = keyof typeof extensionsOf;

/** The same, as a list. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const satisfies PictureType[];

export type PictureKind = 'icon' | 'image';

/** What a picture of one kind must be. Lengths in pixels, both ends included. */
export interface PictureRule {
  mostBytes: number;
  leastWidth: number;
  mostWidth: number;
  /** Width to height, from the narrowest to the widest shape. */
  shape: { narrowest: [number, number]; widest: [number, number] };
  /** The same in words. */
  words: string;
}

/** The contract names no sizes: these are the ones usual for Push. */
export const pictureRules: Readonly<Record<PictureKind, PictureRule>> = {
  icon: {
    mostBytes: 256 * 1024,
    leastWidth: 96,
    mostWidth: 512,
    shape: { narrowest: [1, 1], widest: [1, 1] },
    words: 'square, 96 to 512 pixels wide, at most 256 KiB',
  },
  image: {
    mostBytes: 1024 * 1024,
    leastWidth: 192,
    mostWidth: 2_000,
    shape: { narrowest: [3, 2], widest: [2, 1] },
    words: 'between 3:2 and 2:1, 192 to 2,000 pixels wide, at most 1 MiB',
  },
};
