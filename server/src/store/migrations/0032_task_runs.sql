-- Refreshes of materialized views and runs of submitted tasks. The id of a run is that of the request by which it runs,
-- so that it runs once, whatever happens to this service meanwhile.
create table task_runs (
  run_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  -- Null: a submitted task.
  view_id uuid references materialized_views on delete cascade,
  task_name text not null,
  -- By whose rights it runs, and who asked for it; null: it was due.
  user_id uuid not null,
  started_by text,
  reason text not null,
  catalog text not null,
  database text,
  warehouse_id uuid,
  definition text not null,
  state text not null check (state in ('pending', 'running', 'success', 'failed')),
  query_id uuid,
  row_count bigint,
  error text not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
-- One refresh of a view at a time.
create unique index task_runs_unended on task_runs (view_id) where state in ('pending', 'running');
create index task_runs_open on task_runs (created_at) where state in ('pending', 'running');
create index task_runs_view on task_runs (view_id, created_at desc);
create index task_runs_account on task_runs (account_id, created_at desc);
create index task_runs_ended on task_runs (ended_at);
