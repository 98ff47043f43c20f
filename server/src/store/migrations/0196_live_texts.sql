-- What several people changed in one saved query, as long as somebody may still have to catch up. The text itself is in
-- editor_tabs, and has the revision of the last of them.
create table editor_updates (
  tab_id uuid not null references editor_tabs on delete cascade,
  -- Of the text behind this change.
  revision integer not null,
  -- The window it came from, which knows by it what of its own has arrived; empty: a whole text was saved.
  client_id text not null,
  -- JSON.
  changes text not null,
  bytes integer not null,
  primary key (tab_id, revision)
);

-- Who else wrote a version, where several wrote at once.
alter table editor_versions add column others uuid[] not null default '{}';
