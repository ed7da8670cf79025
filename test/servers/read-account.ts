import { readAllRows, type MemberClient } from '#core/service-client/index.ts';

/** Reads everything that a member can read about its campaigns: the rows of the list, and each full campaign. */
export async function readAccount(client: MemberClient): Promise<unknown> {
  const { rows } = await readAllRows(client);
  const campaigns = await Promise.all(rows.map(async ({ cid }) => (await client.get(cid)).raw));
  return { rows, campaigns };
}
