import { z } from 'zod';
import { pictureKinds, pictureTypes } from '../../campaign/index.ts';
import { nothing, request } from '../define.ts';
import { loadedPictureSchema } from './pictures.ts';
import { extraScopes } from '../profiles/profiles.ts';
import { proposalSchema } from '../proposals/proposals.ts';
import { atMost } from '../../lib/inert-text.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

export const uploadSchema = z.object({
  sha256,
  kind: z.enum(pictureKinds),
  fileName: z.string(),
  contentType: z.enum(pictureTypes),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  atMs: z.number(),
  /** The image object that a campaign takes (contract §2.4), as the service returned it. */
  image: z.record(z.string(), z.json()),
  usedBy: z.array(z.int()),
  /** The campaign that gets it as a draft once the change of its drafts under review is decided; null for none. */
  draftWaitsFor: z.int().nullable(),
});

export type UploadView = z.infer<typeof uploadSchema>;

/** An upload that is not done: the proposal that waits, or is under way. The picture may have been uploaded before. */
export const pendingUploadSchema = uploadSchema
  .omit({ image: true, usedBy: true, draftWaitsFor: true })
  .extend({ proposalId: z.string(), cid: z.int().nullable() });

export const uploadsSchema = z.object({
  profileId: z.string(),
  /** `direct`: the member token opens the tools. */
  access: z.enum(['ready', 'signed-out', 'direct']),
  granted: z.array(z.enum(extraScopes)),
  missing: z.array(z.enum(extraScopes)),
  uploads: z.array(uploadSchema),
  pending: z.array(pendingUploadSchema),
});

export type UploadsView = z.infer<typeof uploadsSchema>;

export const uploadsApi = {
  'uploads.list': request(nothing, uploadsSchema),
  /**
   * Prepares an upload and proposes it; a named campaign then gets a draft. Fails with `validation_failed`, `upload_unfinished`,
   * `sign_in_needed`, `scope_needed`, `tool_held`, `tool_refused`.
   */
  'uploads.propose': request(
    z.object({
      kind: z.enum(pictureKinds),
      fileName: z
        .string()
        .min(1)
        .refine(...atMost(200)),
      contentType: z.enum(pictureTypes),
      data: z.string().max(3_000_000),
      cid: z.int().positive().nullable(),
    }),
    proposalSchema,
  ),
  /** The picture of an upload, from this computer. Fails with `picture_unknown`. */
  'uploads.load': request(z.object({ sha256 }), loadedPictureSchema),
};
