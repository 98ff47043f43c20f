-- Loads of several parts under one label: each part is stored as it comes, and all of them are loaded in one transaction
-- of the engine when their program commits.
alter table load_tasks
  -- What is happening to it until it is over; null of all other loads.
  add column stage text check (stage in ('open', 'preparing', 'prepared', 'committing')),
  -- All tables of its parts; null of all other loads.
  add column tables text[],
  -- It is rolled back then.
  add column expires_at timestamptz,
  -- It is rolled back too when no data comes for so long.
  add column idle_seconds integer,
  add column active_at timestamptz,
  add column prepared_at timestamptz;
create index load_tasks_transactions on load_tasks (account_id, user_id) where stage is not null;

create table load_parts (
  -- Its name among the uploads of the account.
  file text primary key,
  task_id uuid not null references load_tasks on delete cascade,
  account_id text not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  place integer not null,
  table_name text not null,
  -- How it is read.
  part jsonb not null,
  -- Reserved while it arrives; then what it has.
  size_bytes bigint not null,
  is_whole boolean not null default false
);
create unique index load_parts_of_task on load_parts (task_id, place);
create index load_parts_of_account on load_parts (account_id);
create index load_parts_of_user on load_parts (user_id);
