-- A materialized view that is being renamed has both names to itself, from before its table is renamed until that is known.
alter table materialized_views add column renaming_to text;
alter table materialized_views drop constraint materialized_views_state_check;
alter table materialized_views add constraint materialized_views_state_check
  check (state in ('making', 'there', 'renaming', 'dropping'));
alter table materialized_views add constraint materialized_views_renaming_check
  check ((state = 'renaming') = (renaming_to is not null));

-- Submitted tasks that run from time to time.
create table scheduled_tasks (
  task_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  name text not null,
  -- By whose rights it runs. Named without being referred to: one whose user is gone fails, and says so.
  user_id uuid not null,
  catalog text not null,
  database text,
  -- Null: the account's default.
  warehouse_id uuid,
  definition text not null,
  every_count int not null,
  every_unit text not null,
  starts_at timestamptz not null,
  paused boolean not null,
  next_run_at timestamptz not null,
  created_at timestamptz not null
);
create unique index scheduled_tasks_name on scheduled_tasks (account_id, lower(name));
create index scheduled_tasks_due on scheduled_tasks (next_run_at) where not paused;

-- Null: a refresh, or a task that runs once. What has run stays when its task is dropped.
alter table task_runs add column task_id uuid references scheduled_tasks on delete set null;
create unique index task_runs_task_unended on task_runs (task_id) where state in ('pending', 'running');
create index task_runs_task on task_runs (task_id, created_at desc);
