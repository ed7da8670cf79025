import { readEveryRow, type MemberClient } from '#core/service-client/index.ts';

/** Everything that a member can read of its campaigns: the rows of the list, and each campaign in full. */
export async function readAccount(client: MemberClient): Promise<unknown> {
  const { rows } = await readEveryRow(client);
  const campaigns = await Promise.all(rows.map(async ({ cid }) => (await client.get(cid)).raw));
  return { rows, campaigns };
}
