import { z } from 'zod';
import { cid, request } from '../define.ts';

/** A picture of a creative that a proposal names. Nothing of it is loaded before it is asked for. */
export const creativePictureSchema = z.object({
  field: z.enum(['icon', 'image']),
  label: z.string(),
  /** The side of the change; `same` if it stays. Of an upload, `new` is the file and `now` the campaign's present picture. */
  side: z.enum(['before', 'after', 'same', 'now', 'new']),
  url: z.string(),
  /** In lower case, with a port that is not the usual one; of a `new` picture the name of its file. */
  host: z.string(),
  /** True if it is stored at an origin of the proposal's own profile, or on this computer. */
  isOwn: z.boolean(),
});

export type CreativePicture = z.infer<typeof creativePictureSchema>;

export const loadedPictureSchema = z.object({
  type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  width: z.int().positive(),
  height: z.int().positive(),
  base64: z.base64(),
});

export type LoadedPicture = z.infer<typeof loadedPictureSchema>;

export const picturesApi = {
  /** The pictures that a campaign of the active profile names, by its latest read; nothing is loaded. Fails as that read does. */
  'pictures.ofCampaign': request(
    z.object({ cid }),
    z.object({ pictures: z.array(creativePictureSchema).max(2) }),
  ),
  /**
   * Loads a picture that the proposal or campaign names, no other. Fails with `picture_unknown`, `picture_address_refused`,
   * `picture_unreachable`, `picture_refused`.
   */
  'pictures.load': request(
    z.union([
      z.strictObject({ proposalId: z.string().min(1).max(100), url: z.string() }),
      z.strictObject({ cid, url: z.string() }),
    ]),
    loadedPictureSchema,
  ),
};
