import { createHash } from 'node:crypto';
import { demoAccounts } from '#core/backend/demo-data/credentials.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { withService } from './stores.ts';

/** Publishes a PNG of any size at the Demo service, as the buyer's upload would. Returns its image object. */
export function publishPicture(
  { dataFolder, origin }: { dataFolder: string; origin: string },
  { content, width, height }: { content: Buffer; width: number; height: number },
): JsonObject {
  const sha256 = createHash('sha256').update(content).digest('hex');
  withService(dataFolder, ({ pictures }) =>
    pictures.add(demoAccounts('northwind').buyer.uid, {
      sha256,
      contentType: 'image/png',
      width,
      height,
      content,
    }),
  );
  return { url: `${origin}/uploads/${sha256}.png`, width, height, mime: 'image/png' };
}
