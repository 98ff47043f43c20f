-- Execution: what a statement did, what is kept of it, and what its warehouse cost.

alter table statements
  add column user_name text not null default '',
  add column visible boolean not null default true,
  add column writes boolean not null default false,
  -- Whether a statement that writes took effect; null while it runs or when it only reads.
  add column effect text check (effect in ('taken', 'not taken', 'unknown')),
  add column queued_at timestamptz,
  add column peak_memory_bytes bigint,
  add column cost_ccu numeric(18, 6),
  add column profile jsonb,
  add column result_state text not null default 'none' check (result_state in ('none', 'kept', 'expired')),
  add column result_rows bigint,
  add column result_bytes bigint,
  add column result_complete boolean,
  add column result_columns jsonb,
  add column result_expires_at timestamptz;
create index statements_accepted_at on statements (accepted_at);
create index statements_effect_unknown on statements (account_id) where effect = 'unknown';
create index statements_result_expires_at on statements (result_expires_at) where result_state = 'kept';

alter table connections
  add column time_zone text not null default 'UTC',
  -- What is lost with the engine, so that its user can be told.
  add column in_transaction boolean not null default false,
  add column has_temporary boolean not null default false;

create table warehouse_activity (
  activity_id bigint generated always as identity primary key,
  account_id text not null references accounts on delete cascade,
  warehouse_id uuid not null,
  warehouse_name text not null,
  action text not null,
  detail text not null,
  result text not null check (result in ('Success', 'Failed')),
  actor text not null,
  at timestamptz not null
);
create index warehouse_activity_warehouse on warehouse_activity (warehouse_id, activity_id desc);
create index warehouse_activity_account on warehouse_activity (account_id, activity_id desc);

-- One row for each time a warehouse ran. Usage is counted up to metered_until, in the same transaction that moves it.
create table warehouse_runs (
  run_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  warehouse_id uuid not null,
  warehouse_name text not null,
  size text not null,
  started_at timestamptz not null,
  metered_until timestamptz not null,
  ended_at timestamptz,
  end_reason text
);
create index warehouse_runs_account on warehouse_runs (account_id, started_at desc);
create index warehouse_runs_open on warehouse_runs (warehouse_id) where ended_at is null;
create index warehouse_runs_warehouse on warehouse_runs (warehouse_id, started_at desc);

create table warehouse_usage (
  account_id text not null references accounts on delete cascade,
  warehouse_id uuid not null,
  hour timestamptz not null,
  size text not null,
  seconds bigint not null,
  primary key (warehouse_id, hour, size)
);
create index warehouse_usage_account on warehouse_usage (account_id, hour);

-- What open consoles are told; a client that missed some asks for those after the last it saw.
create table channel_events (
  seq bigint generated always as identity primary key,
  account_id text not null references accounts on delete cascade,
  -- Null: for everyone in the account.
  user_id uuid,
  type text not null,
  data jsonb not null,
  at timestamptz not null
);
create index channel_events_account on channel_events (account_id, seq);
create index channel_events_at on channel_events (at);

-- A link to a file made from a kept result; good once.
create table downloads (
  code_hash bytea primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  query_id uuid not null,
  format text not null,
  file text not null,
  file_name text not null,
  expires_at timestamptz not null
);
create index downloads_expires_at on downloads (expires_at);
create index downloads_account_id on downloads (account_id);
create index downloads_user_id on downloads (user_id);
