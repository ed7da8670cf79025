/**
 * The accepted picture types and their file extensions. SVG can contain scripts and GIF can be animated, so neither is
 * accepted.
 */
export const pictureExtensions = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
} as const;

export type PictureType = keyof typeof pictureExtensions;

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const satisfies PictureType[];

export const pictureKinds = ['icon', 'image'] as const;

export type PictureKind = (typeof pictureKinds)[number];

interface PictureRule {
  maxBytes: number;
  leastWidth: number;
  maxWidth: number;
  /** Width to height: the narrowest and the widest accepted shape. */
  shape: { narrowest: [number, number]; widest: [number, number] };
  words: string;
}

/** The contract names no sizes. These are usual for Push. */
export const pictureRules: Readonly<Record<PictureKind, PictureRule>> = {
  icon: {
    maxBytes: 256 * 1024,
    leastWidth: 96,
    maxWidth: 512,
    shape: { narrowest: [1, 1], widest: [1, 1] },
    words: 'square, 96 to 512 pixels wide, at most 256 KiB',
  },
  image: {
    maxBytes: 1024 * 1024,
    leastWidth: 192,
    maxWidth: 2_000,
    shape: { narrowest: [3, 2], widest: [2, 1] },
    words: 'between 3:2 and 2:1, 192 to 2,000 pixels wide, at most 1 MiB',
  },
};

export function sizeFault(
  { width, height }: { width: number; height: number },
  kind: PictureKind,
): string | null {
  const { leastWidth, maxWidth, shape, words } = pictureRules[kind];
  const [narrowWidth, narrowHeight] = shape.narrowest;
  const [wideWidth, wideHeight] = shape.widest;
  const isWide = width * narrowHeight >= height * narrowWidth;
  const isNarrow = width * wideHeight <= height * wideWidth;
  if (width >= leastWidth && width <= maxWidth && height > 0 && isWide && isNarrow) return null;
  return `The picture is ${width} × ${height}. The ${kind} must be ${words}.`;
}
