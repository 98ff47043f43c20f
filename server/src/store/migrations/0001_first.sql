create table organisations (
  organisation_id uuid primary key,
  name text not null,
  identity smallint not null,
  source smallint not null,
  root_account_id text unique,
  created_at timestamptz not null
);

create table accounts (
  account_id text primary key check (account_id ~ '^[A-Z]{3}[0-9]{5}$'),
  organisation_id uuid not null references organisations,
  name text not null,
  csp text not null,
  region text not null,
  edition text not null check (edition in ('lake', 'standard')),
  -- Life cycle as the account list shows it (ACCOUNT-56 to ACCOUNT-63).
  state smallint not null check (state between 0 and 7),
  -- What the shell reads as accountState (ACCOUNT-51 to ACCOUNT-55).
  shell_state smallint not null,
  creator text not null,
  created_at timestamptz not null,
  unique (organisation_id, name)
);

alter table organisations
  add foreign key (root_account_id) references accounts on delete set null;

create table users (
  user_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  name text not null,
  email text,
  password_hash text not null,
  is_org_admin boolean not null,
  created_at timestamptz not null,
  password_changed_at timestamptz not null
);
create unique index users_account_id_name on users (account_id, lower(name));

create table user_roles (
  user_id uuid not null references users on delete cascade,
  role text not null,
  active boolean not null,
  granted_at timestamptz not null,
  primary key (user_id, role)
);

create table logins (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  account_id text not null references accounts on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- The end of the login, however busy it is.
  expires_at timestamptz not null,
  client_ip inet
);
create index logins_user_id on logins (user_id);
create index logins_account_id on logins (account_id);
create index logins_expires_at on logins (expires_at);

-- Unlogged: written by every signed request and worthless after minutes. A crash of PostgreSQL empties it.
create unlogged table request_nonces (
  nonce_hash bytea primary key,
  expires_at timestamptz not null
);
create index request_nonces_expires_at on request_nonces (expires_at);

create table warehouses (
  warehouse_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  name text not null,
  description text not null default '',
  size text not null,
  -- Null: never suspended for being idle.
  auto_suspend_minutes integer check (auto_suspend_minutes > 0),
  auto_resume boolean not null,
  status text not null,
  created_by text not null,
  created_at timestamptz not null,
  resumed_at timestamptz
);
create unique index warehouses_account_id_name on warehouses (account_id, lower(name));

create table editor_folders (
  folder_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  parent_id uuid references editor_folders on delete cascade,
  name text not null,
  created_at timestamptz not null
);
create index editor_folders_user_id on editor_folders (user_id);
create index editor_folders_account_id on editor_folders (account_id);
create index editor_folders_parent_id on editor_folders (parent_id);

create table editor_tabs (
  tab_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  folder_id uuid references editor_folders on delete set null,
  name text not null,
  catalog text,
  database_name text,
  warehouse_id uuid references warehouses on delete set null,
  sql text not null default '',
  revision integer not null default 1,
  hidden boolean not null default false,
  active boolean not null default false,
  position integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index editor_tabs_user_id_position on editor_tabs (user_id, position);
create index editor_tabs_account_id on editor_tabs (account_id);
create index editor_tabs_folder_id on editor_tabs (folder_id);
create index editor_tabs_warehouse_id on editor_tabs (warehouse_id);

create table connections (
  connection_id bigint generated always as identity primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  client_id text not null,
  catalog text not null,
  database_name text,
  warehouse text,
  variables jsonb not null default '{}',
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  closed_at timestamptz
);
create index connections_user_id_client_id on connections (user_id, client_id);
create index connections_account_id on connections (account_id);
create index connections_open on connections (last_used_at) where closed_at is null;

-- History outlives users, connections and warehouses: it names them without referring to them.
create table statements (
  query_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid not null,
  connection_id bigint,
  request_id text not null,
  statement_index integer not null check (statement_index >= 0),
  statement_count integer not null check (statement_count > 0),
  door text not null check (door in ('channel', 'http', 'mysql', 'ingest', 'service')),
  client_ip inet,
  warehouse text,
  catalog text,
  database_name text,
  sql text not null,
  kind text not null,
  state text not null
    check (state in ('accepted', 'running', 'finished', 'failed', 'cancelled', 'interrupted')),
  accepted_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  row_count bigint,
  error jsonb,
  check ((ended_at is null) = (state in ('accepted', 'running'))),
  -- A request sent again finds its execution instead of running twice.
  unique (account_id, request_id, statement_index)
);
create index statements_account_id_accepted_at on statements (account_id, accepted_at desc);
create index statements_user_id_accepted_at on statements (user_id, accepted_at desc);
create index statements_connection_id on statements (connection_id);
create index statements_unfinished on statements (accepted_at) where state in ('accepted', 'running');

create table client_errors (
  client_error_id bigint generated always as identity primary key,
  account_id text references accounts on delete cascade,
  user_name text,
  message text not null,
  created_at timestamptz not null
);
create index client_errors_account_id on client_errors (account_id);
create index client_errors_created_at on client_errors (created_at);

create table instance_facts (
  key text primary key,
  value jsonb not null
);
