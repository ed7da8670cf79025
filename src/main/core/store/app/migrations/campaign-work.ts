export const drafts = `
  -- The id is the order in which fields were drafted.
  CREATE TABLE draft (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id TEXT NOT NULL,
    account TEXT NOT NULL,
    cid INTEGER NOT NULL,
    field TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (profile_id, account, cid, field)
  ) STRICT;

  CREATE TABLE draft_step (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id TEXT NOT NULL,
    account TEXT NOT NULL,
    title TEXT NOT NULL,
    is_undone INTEGER NOT NULL CHECK (is_undone IN (0, 1))
  ) STRICT;
  CREATE INDEX draft_step_scope ON draft_step (profile_id, account, is_undone);

  -- The draft of one field before and after a step; null for none.
  CREATE TABLE draft_step_change (
    step_id INTEGER NOT NULL REFERENCES draft_step (id) ON DELETE CASCADE,
    cid INTEGER NOT NULL,
    field TEXT NOT NULL,
    before TEXT,
    after TEXT,
    PRIMARY KEY (step_id, cid, field)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX draft_step_change_cid ON draft_step_change (cid);

  -- The proposal that was made of a campaign's drafts with what the rehearsal said of it, or the reason why the last one came to
  -- nothing. Another proposal may take the place of both.
  CREATE TABLE draft_review (
    profile_id TEXT NOT NULL,
    account TEXT NOT NULL,
    cid INTEGER NOT NULL,
    proposal_id TEXT NOT NULL,
    rehearsed TEXT CHECK (rehearsed IN ('accepted', 'refused')),
    returned_at_ms INTEGER,
    returned_reason TEXT,
    PRIMARY KEY (profile_id, account, cid),
    CHECK ((returned_at_ms IS NULL) = (returned_reason IS NULL))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX draft_review_proposal ON draft_review (proposal_id);

  -- Where a rehearsal and the service disagreed.
  CREATE TABLE rehearsal_disagreement (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    profile_id TEXT NOT NULL,
    cid INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    rehearsed TEXT NOT NULL CHECK (rehearsed IN ('accepted', 'refused')),
    fields TEXT NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;
  CREATE INDEX rehearsal_disagreement_profile ON rehearsal_disagreement (profile_id);`;

export const campaignNotes = `
  CREATE TABLE campaign_label (
    id TEXT NOT NULL PRIMARY KEY,
    profile_id TEXT NOT NULL,
    name TEXT NOT NULL,
    color TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX campaign_label_profile ON campaign_label (profile_id);

  CREATE TABLE campaign_label_use (
    profile_id TEXT NOT NULL,
    account TEXT NOT NULL,
    cid INTEGER NOT NULL,
    label_id TEXT NOT NULL REFERENCES campaign_label (id) ON DELETE CASCADE,
    PRIMARY KEY (profile_id, account, cid, label_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX campaign_label_use_label ON campaign_label_use (label_id);

  CREATE TABLE campaign_note (
    profile_id TEXT NOT NULL,
    account TEXT NOT NULL,
    cid INTEGER NOT NULL,
    note TEXT NOT NULL CHECK (note <> ''),
    PRIMARY KEY (profile_id, account, cid)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE campaign_view (
    id TEXT NOT NULL PRIMARY KEY,
    profile_id TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    saved_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX campaign_view_profile ON campaign_view (profile_id);`;

export const uploads = `
  -- The address of a picture follows from its bytes, so one picture is one row. The image is null until the upload is done.
  CREATE TABLE upload (
    profile_id TEXT NOT NULL,
    account TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    proposal_id TEXT,
    kind TEXT NOT NULL,
    file_name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    content BLOB NOT NULL,
    cid INTEGER,
    image TEXT,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (profile_id, account, sha256)
  ) STRICT;
  CREATE INDEX upload_proposal ON upload (proposal_id) WHERE proposal_id IS NOT NULL;

  -- The campaigns to which a change through this app gave the picture; whether they still have it, a read tells.
  CREATE TABLE upload_use (
    profile_id TEXT NOT NULL,
    account TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    cid INTEGER NOT NULL,
    PRIMARY KEY (profile_id, account, sha256, cid),
    FOREIGN KEY (profile_id, account, sha256) REFERENCES upload (profile_id, account, sha256) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;`;

export const campaignCopies = `
  CREATE TABLE campaign_copy (
    profile_id TEXT NOT NULL,
    account TEXT NOT NULL,
    cid INTEGER NOT NULL,
    day TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (profile_id, account, cid, day)
  ) STRICT;
  CREATE INDEX campaign_copy_at ON campaign_copy (at_ms);`;
