-- Loads of uploaded files into tables. A run of one is a statement; what the engine did is asked for by its request.
create table load_tasks (
  task_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  user_name text not null,
  -- Null once the file is gone.
  upload_id uuid references uploads on delete set null,
  file_name text not null,
  size_bytes bigint not null,
  catalog text not null,
  database_name text not null,
  table_name text not null,
  makes_table boolean not null,
  warehouse_id uuid not null,
  warehouse_name text not null,
  -- How the file is read, and where its columns go.
  reading jsonb not null,
  columns jsonb not null,
  most_rejected integer not null,
  state text not null check (state in ('queued', 'running', 'paused', 'finished', 'failed', 'cancelled')),
  -- What was asked for while it ran: it becomes its state when the run has stopped.
  wanted text check (wanted in ('paused', 'cancelled')),
  -- Counts the runs; each is a request of its own.
  attempt integer not null default 0,
  query_id uuid,
  rows_loaded bigint,
  rows_rejected integer not null default 0,
  error text not null default '',
  created_at timestamptz not null,
  ended_at timestamptz
);
create index load_tasks_newest on load_tasks (account_id, created_at desc, task_id);
create index load_tasks_of_user on load_tasks (user_id, created_at desc, task_id);
create index load_tasks_under_way on load_tasks (account_id) where state in ('queued', 'running');
create index load_tasks_upload_id on load_tasks (upload_id);
create index load_tasks_ended_at on load_tasks (ended_at) where ended_at is not null;

create table load_rejections (
  task_id uuid not null references load_tasks on delete cascade,
  place integer not null,
  line bigint,
  column_name text,
  reason text not null,
  text text,
  primary key (task_id, place)
);
