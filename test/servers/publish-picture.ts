import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** Publishes a PNG at the Demo service, as an upload would. Returns its image object. */
export function publishPicture(
  { dataFolder, origin }: { dataFolder: string; origin: string },
  { content, width, height }: { content: Buffer; width: number; height: number },
): JsonObject {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const database = new Database(join(dataFolder, 'backend.sqlite'));
  try {
    database
      .prepare('INSERT INTO picture (sha256, content_type, width, height, bytes) VALUES (?, ?, ?, ?, ?)')
      .run(sha256, 'image/png', width, height, content);
  } finally {
    database.close();
  }
  return { url: `${origin}/uploads/${sha256}.png`, width, height, mime: 'image/png' };
}
