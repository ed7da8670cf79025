import { z } from 'zod';
import type { PrepareTool } from '../operations/write-kind.ts';
import { pictureRules, pictureTypes } from './picture-rules.ts';

const kinds = z.enum(['icon', 'image']);
const contentTypes = z.enum(pictureTypes);

/** What `svc_prepare_upload` takes. */
export const uploadInput = z.strictObject({
  kind: kinds.describe('The square icon or the main image of a Push campaign.'),
  fileName: z.string().describe('The name of the file, with the extension of its type.'),
  contentType: contentTypes,
  data: z.string().describe('The bytes of the file in base64 (RFC 4648 §4).'),
});

/** The payload of the write `upload`: what the bytes are, and their hash instead of them. */
export const uploadPayload = z.strictObject({
  kind: kinds,
  fileName: z.string(),
  contentType: contentTypes,
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
  sha256: z.string(),
});

const { icon, image } = pictureRules;

/** `svc_prepare_upload`. */
export const uploadTool: PrepareTool = {
  name: 'svc_prepare_upload',
  title: 'Prepare an upload',
  description: [
    'Checks an icon or a main image for Push and keeps it aside for its approval; nothing is published before svc_commit.',
    `An icon is ${icon.words}; an image is ${image.words}. PNG, JPEG or WebP, not animated.`,
    'The commit answers with the image object that the campaign takes as its icon or image.',
  ].join(' '),
  input: uploadInput,
  payload: uploadPayload,
};
