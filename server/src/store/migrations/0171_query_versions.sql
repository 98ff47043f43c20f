-- The texts that a saved query had. They go with the query, and its bin with them.
create table editor_versions (
  version_id uuid primary key,
  tab_id uuid not null references editor_tabs on delete cascade,
  -- Who wrote it.
  user_id uuid not null,
  -- Of the query when it had this text: a run names the revision that it was of.
  revision integer not null,
  sql text not null,
  -- Null: it has no name, and may be removed when there are too many.
  name text,
  -- What the same user writes within some minutes of this is the same version.
  begun_at timestamptz not null,
  saved_at timestamptz not null,
  ran_at timestamptz,
  -- Two of one moment have an order, too.
  place bigint generated always as identity
);

create index editor_versions_of_tab on editor_versions (tab_id, place desc);
create index editor_versions_of_user on editor_versions (user_id, place desc);
