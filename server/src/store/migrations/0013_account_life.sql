-- How accounts come, are frozen and go.

-- Letter case does not make another name.
alter table accounts drop constraint accounts_organisation_id_name_key;
create unique index accounts_organisation_id_name on accounts (organisation_id, lower(name));

alter table accounts
  -- What a new account still lacks; done by a job, and repeated until it is written here.
  add column set_up text not null default 'done' check (set_up in ('engine', 'samples', 'done')),
  add column wants_samples boolean not null default false,
  add column frozen_at timestamptz,
  add column freeze_reason text check (freeze_reason in ('trial ended', 'operator')),
  -- Only while it is frozen and its data has a last day.
  add column delete_at timestamptz,
  add column deleting_since timestamptz,
  -- From here on nothing brings it back.
  add column purge_began_at timestamptz;
-- Of the many that are open and stay so, jobs need to know nothing.
create index accounts_in_motion on accounts (state, shell_state) where state <> 3 or shell_state <> 2;

-- Who is invited has no password yet.
alter table users alter column password_hash drop not null;

-- What is left of an account: enough to list it as deleted, and to give its id to nobody else.
create table deleted_accounts (
  account_id text primary key,
  organisation_id uuid not null,
  name text not null,
  csp text not null,
  region text not null,
  edition text not null,
  creator text not null,
  created_at timestamptz not null,
  deleted_at timestamptz not null
);
create index deleted_accounts_organisation_id on deleted_accounts (organisation_id);

create table trials (
  organisation_id uuid primary key references organisations on delete cascade,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  -- Its people were told by mail that it nears its end.
  end_told_at timestamptz,
  ended_at timestamptz
);
create index trials_running on trials (ends_at) where ended_at is null;

create table messages (
  message_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  type smallint not null,
  created_at timestamptz not null,
  read_at timestamptz
);
create index messages_user_id on messages (user_id, created_at);
create index messages_account_id on messages (account_id);
