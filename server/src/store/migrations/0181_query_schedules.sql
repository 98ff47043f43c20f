-- Saved queries that run on a schedule, as their users. A query has one at most, and it is gone with the query or the user.
create table query_schedules (
  schedule_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  tab_id uuid not null unique references editor_tabs on delete cascade,
  cron text not null,
  time_zone text not null,
  -- Null: the default of the account.
  warehouse_id uuid,
  paused boolean not null default false,
  next_run_at timestamptz not null,
  created_at timestamptz not null,
  -- What its users are notified of, as JSON; null: of failures alone.
  condition jsonb,
  quiet_minutes integer not null default 0,
  notified_at timestamptz,
  -- Of a failure; null since the last run that succeeded.
  failure_notified_at timestamptz,
  -- Of the rows of the last run, to know whether they have changed.
  fingerprint text
);
create index query_schedules_of_account on query_schedules (account_id, user_id);
create index query_schedules_of_user on query_schedules (user_id);
create index query_schedules_due on query_schedules (next_run_at) where not paused;

-- Written before it runs: one for each time that is due, and one at a time.
create table query_schedule_runs (
  run_id uuid primary key,
  schedule_id uuid not null references query_schedules on delete cascade,
  account_id text not null,
  user_id uuid not null,
  -- Null: somebody ran it at once.
  due_at timestamptz,
  -- What runs and where, as it was then; the text is removed at its end, since the history has it.
  sql text not null,
  bound_values text,
  catalog text not null,
  database_name text,
  warehouse_id uuid,
  state text not null check (state in ('pending', 'running', 'success', 'failed')),
  query_id text,
  row_count bigint,
  error text not null default '',
  met boolean,
  notified boolean not null default false,
  created_at timestamptz not null,
  ended_at timestamptz,
  unique (schedule_id, due_at)
);
create index query_schedule_runs_of_schedule on query_schedule_runs (schedule_id, created_at desc, run_id desc);
create unique index query_schedule_runs_one_at_a_time on query_schedule_runs (schedule_id)
  where state in ('pending', 'running');
create index query_schedule_runs_open on query_schedule_runs (created_at) where state in ('pending', 'running');
