-- Tiles over kept results. A dashboard is gone with its owner.
create table dashboards (
  dashboard_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  name text not null,
  -- Who sees it beside its owner.
  viewers text not null default 'private' check (viewers in ('private', 'account', 'roles')),
  roles text[] not null default '{}',
  runs_as text not null default 'viewer' check (runs_as in ('viewer', 'owner')),
  -- Both null: it is not refreshed automatically.
  cron text,
  time_zone text,
  next_run_at timestamptz,
  -- Saved as a whole; who saves has seen this revision.
  revision integer not null default 1,
  tiles jsonb not null default '[]',
  tile_count integer not null default 0,
  parameters jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index dashboards_of_account on dashboards (account_id, lower(name), dashboard_id);
create index dashboards_of_user on dashboards (user_id);
create index dashboards_due on dashboards (next_run_at) where next_run_at is not null;

-- A role that is dropped and made again under its name is another one.
create function forget_role_of_dashboards() returns trigger language plpgsql
  set search_path from current as $$
begin
  update dashboards set roles = array_remove(roles, old.name)
  where account_id = old.account_id and viewers = 'roles' and old.name = any(roles);
  return null;
end
$$;
create trigger dashboards_without_role after delete on roles
  for each row execute function forget_role_of_dashboards();

-- Written before it runs. The newest of a tile, a user and a digest is what that tile shows to who it ran for.
create table dashboard_runs (
  run_id uuid primary key,
  dashboard_id uuid not null references dashboards on delete cascade,
  tile_id uuid not null,
  account_id text not null,
  -- As whom it runs.
  user_id uuid not null references users on delete cascade,
  runs_as_owner boolean not null,
  -- Of the text, the place, the values and as whom it runs: other ones have other rows.
  digest text not null,
  -- What runs; removed at its end, since the history has it.
  sql text not null,
  bound_values text,
  catalog text not null,
  database_name text,
  warehouse_id uuid,
  state text not null check (state in ('pending', 'running', 'success', 'failed')),
  query_id text,
  error text not null default '',
  created_at timestamptz not null,
  ended_at timestamptz
);
-- However many ask for it, one runs.
create unique index dashboard_runs_one_at_a_time on dashboard_runs (tile_id, user_id, digest)
  where state in ('pending', 'running');
create index dashboard_runs_shown on dashboard_runs (dashboard_id, user_id, digest, created_at desc, run_id desc);
create index dashboard_runs_of_dashboard on dashboard_runs (dashboard_id, created_at desc, run_id desc);
create index dashboard_runs_of_user on dashboard_runs (user_id);
create index dashboard_runs_open on dashboard_runs (created_at) where state in ('pending', 'running');
create index dashboard_runs_ended on dashboard_runs (ended_at) where ended_at is not null;
