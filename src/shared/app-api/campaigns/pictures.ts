import { z } from 'zod';
import { cid, request } from '../define.ts';

/** A picture of a creative that a proposal names. Nothing is loaded until `pictures.load` asks for it. */
export const creativePictureSchema = z.object({
  field: z.enum(['icon', 'image']),
  label: z.string(),
  /**
   * The side of the change; `same` if the picture does not change. For an upload, `new` is the uploaded file and `now`
   * is the campaign's current picture.
   */
  side: z.enum(['before', 'after', 'same', 'now', 'new']),
  url: z.string(),
  /** The host in lower case, with its port unless it is the default one. For a `new` picture, the file name. */
  host: z.string(),
  /** True if the picture is stored at an origin of the proposal's own profile, or on this computer. */
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
  /**
   * The pictures that a campaign of the active profile names, by its latest read. Loads none of them. Fails as that
   * read does.
   */
  'pictures.ofCampaign': request(
    z.object({ cid }),
    z.object({ pictures: z.array(creativePictureSchema).max(2) }),
  ),
  /**
   * Loads a picture that the proposal or the campaign names. Every other address is refused. Fails with
   * `picture_unknown`, `picture_address_refused`, `picture_unreachable` or `picture_refused`.
   */
  'pictures.load': request(
    z.union([
      z.strictObject({ proposalId: z.string().min(1).max(100), url: z.string() }),
      z.strictObject({ cid, url: z.string() }),
    ]),
    loadedPictureSchema,
  ),
};
