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
  /** The image object as the service returned it, ready for a campaign's payload (contract §2.4). */
  image: z.record(z.string(), z.json()),
  usedBy: z.array(z.int()),
  /** The campaign that gets the picture as a draft once the pending proposal of its drafts is decided. Null for none. */
  draftWaitsFor: z.int().nullable(),
});

export type UploadView = z.infer<typeof uploadSchema>;

/** An upload that is not complete: its proposal is undecided or being sent. The picture may have been uploaded before. */
export const pendingUploadSchema = uploadSchema
  .omit({ image: true, usedBy: true, draftWaitsFor: true })
  .extend({ proposalId: z.string(), cid: z.int().nullable() });

export const uploadsSchema = z.object({
  profileId: z.string(),
  /** `direct`: the member token gives access to the tools. */
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
   * Prepares and proposes an upload. A campaign named here gets a draft afterwards. Fails with `validation_failed`,
   * `upload_unfinished`, `sign_in_needed`, `scope_needed`, `tool_held` or `tool_refused`.
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
  /** The picture of an upload, read from this computer. Fails with `picture_unknown`. */
  'uploads.load': request(z.object({ sha256 }), loadedPictureSchema),
};
