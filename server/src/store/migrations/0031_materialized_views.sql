-- Definitions of materialized views. Their rows are a table of the engine with the same name. A name is reserved from
-- before that table is made until after it is dropped: 'making' and 'dropping' are what a crash can leave behind.
create table materialized_views (
  view_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  catalog text not null,
  database text not null,
  name text not null,
  state text not null check (state in ('making', 'there', 'dropping')),
  -- Named without being referred to: a view whose owner is gone is nobody's, and is not refreshed.
  owner_id uuid not null,
  query text not null,
  -- Where names in the query are looked for.
  home_catalog text not null,
  home_database text,
  comment text not null,
  -- The id of a warehouse; null: the account's default.
  warehouse_id uuid,
  trigger text not null check (trigger in ('manual', 'schedule', 'changes')),
  every_count int,
  every_unit text,
  starts_at timestamptz not null,
  paused boolean not null,
  -- It was made without rows.
  deferred boolean not null,
  -- What it has read when it was refreshed last, as [catalog, database, name].
  sources jsonb not null,
  refreshed_at timestamptz,
  -- What it reads has changed since.
  changed_at timestamptz,
  -- A statement or transaction that writes to what it reads has not ended.
  being_written boolean not null,
  next_refresh_at timestamptz,
  failures int not null,
  created_at timestamptz not null,
  check ((trigger = 'schedule') = (every_count is not null and every_unit is not null))
);
create unique index materialized_views_name on materialized_views
  (account_id, lower(catalog), lower(database), lower(name));
create index materialized_views_due on materialized_views (next_refresh_at)
  where state = 'there' and not paused and next_refresh_at is not null;
create index materialized_views_unsettled on materialized_views (view_id) where state <> 'there' or being_written;
