import { expect, test } from 'vitest';
import { connect, openWithAgent, waiting } from '#test/core/gateway/admission/admitted-agent.ts';
import { reopenEndpoint } from '#test/core/gateway/endpoint/endpoint-world.ts';
import { campaignNow } from '#test/core/proposals/world.ts';
import { changeFile } from '#test/servers/stored-rows.ts';
import { app, askForRestore, fetchBackup, repacked } from './hand-over.ts';

/** The table of the schema 12, in which a row said how calls of a tool are treated. */
const oldTable = `
  ALTER TABLE tool_pin RENAME TO pin;
  CREATE TABLE tool_pin (
    profile_id TEXT NOT NULL,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    hash TEXT,
    definition TEXT,
    pinned_at_ms INTEGER,
    treat_as TEXT NOT NULL,
    offered_hash TEXT,
    offered_definition TEXT,
    offered_at_ms INTEGER,
    changes INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (profile_id, name)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO tool_pin SELECT profile_id, name, position, hash, definition, pinned_at_ms, 'read',
    offered_hash, offered_definition, offered_at_ms, changes FROM pin;
  DROP TABLE pin;
  PRAGMA user_version = 12;`;

test.each([
  ['the treatment of every tool in an older backup', oldTable],
  [
    'a hint of its own in the definition',
    `UPDATE tool_pin SET definition =
     json_set(definition, '$.annotations', json('{"readOnlyHint":true}')) WHERE name = 'svc_commit'`,
  ],
])('a commit waits for a person, whatever a restored backup says: %s', async (_what, edit) => {
  const { world, cid } = await openWithAgent();
  const backup = await repacked(await fetchBackup(world.core), (folder) => changeFile(app(folder), edit));
  await askForRestore(world.core, backup);
  const restored = await world.restart();
  expect((await restored.core.handlers['agents.get']({})).frozenSinceMs).not.toBeNull();
  await restored.core.handlers['agents.thaw']({});
  const endpoint = await reopenEndpoint(restored);
  const { tokens } = await endpoint.enter();
  const agent = await connect(endpoint, tokens.access_token);
  for (const { name, offered } of (await restored.core.handlers['agents.tools']({ profileId: 'demo' }))
    .tools) {
    if (offered !== null)
      await restored.core.handlers['agents.acceptTool']({ profileId: 'demo', name, hash: offered.hash });
  }
  const { name } = await campaignNow(restored, cid);
  void agent.call('svc_commit', await agent.prepare(cid, 'key-1')).catch(() => undefined);
  expect((await waiting(restored)).operation).toBe('tool.call');
  expect((await campaignNow(restored, cid))['name']).toBe(name);
});
